"""The records: screenings and what they were asked of, keys, the audit log. No web; no geometry but boxes."""
