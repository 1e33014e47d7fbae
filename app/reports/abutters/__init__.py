"""A list of abutters on paper and in files. Rounding and layout live here; nothing is decided."""
