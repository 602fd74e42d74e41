"""Parts to published index; verification."""
