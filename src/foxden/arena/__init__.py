"""The arena: many matches and their statistics."""
