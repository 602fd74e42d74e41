"""Fused evidence, budget, trade-up."""
