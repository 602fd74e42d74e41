"""Order and concurrency only."""
