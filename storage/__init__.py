"""Arrow in, Arrow out."""
