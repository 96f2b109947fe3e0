"""The laboratory: what a change of the rules does, with paired deals and honest intervals."""
