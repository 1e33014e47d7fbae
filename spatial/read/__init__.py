"""Reading: bytes that somebody sent become plain features with the coordinate system they declare."""
