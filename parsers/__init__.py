"""Bytes in, a Document out."""
