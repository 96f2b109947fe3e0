"""The server: tables where people sit to play; it serves every game and names none."""
