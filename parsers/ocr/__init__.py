"""When a page is recognised, and how."""
