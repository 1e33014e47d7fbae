"""The service: command line, HTTP, records and reports. It holds no geometry."""
