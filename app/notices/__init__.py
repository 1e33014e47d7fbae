"""The use case of notices: abutters with their owners, the letters made from them, and their life. No geometry."""
