"""Encoders, the vector cache, composed parents."""
