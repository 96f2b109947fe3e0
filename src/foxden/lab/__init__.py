"""The laboratory: effects of rule changes, with paired deals and valid intervals."""
