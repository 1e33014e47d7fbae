"""Shapes at the edge: pydantic models of what HTTP and the command line take and give."""
