"""Reading: bytes that somebody sent become plain features with the coordinate system they declare.

``spatial.read.upload.read`` is the door. It stands in a module of its own, and this package imports nothing, so
that who only needs the limits or the extractor does not load GDAL. Strangers' files are read in a child process
only (``app.isolation``); nothing here reaches the network.
"""
