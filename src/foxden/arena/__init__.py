"""The arena: many matches, and what they show."""
