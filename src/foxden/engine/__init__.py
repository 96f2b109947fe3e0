"""The engine: what every game is built on, independent of any game."""
