"""Foxden's games behind the protocols of research, one file a protocol."""
