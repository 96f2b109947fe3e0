"""The engine: everything a game is built on, and nothing that knows a game."""
