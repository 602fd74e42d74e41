"""Slide decks."""
