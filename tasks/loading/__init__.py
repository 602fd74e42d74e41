"""Parse documents in killable child processes."""
