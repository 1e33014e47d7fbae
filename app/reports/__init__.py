"""Answers put into shapes for people and programs. Rounding happens in ``app.schemas.quantities``; no law, no measuring."""
