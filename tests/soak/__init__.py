"""Long runs, one command each, that `make soak` runs after the slow tests."""
