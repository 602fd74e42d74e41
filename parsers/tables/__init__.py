"""Cells to grids, grids to row sentences."""
