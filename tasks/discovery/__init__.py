"""Which documents there are, and which changed."""
