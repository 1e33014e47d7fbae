"""Migrations of the records, shipped with the package and run when the service starts."""
