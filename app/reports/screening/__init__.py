"""A screening on paper: a tagged PDF with a map of our own drawing."""
