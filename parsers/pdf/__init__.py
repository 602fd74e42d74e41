"""PDF: text layer, reading order, forms."""
