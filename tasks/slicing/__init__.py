"""Aligned cuts, chunks, fingerprints, the forest."""
