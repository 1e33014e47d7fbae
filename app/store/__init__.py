"""The records: screenings and what they were asked of, keys, the audit log. Knows no web and no geometry but boxes."""
