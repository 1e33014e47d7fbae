"""Answers put into shapes for people and programs. Rounding happens in ``app.schemas``; no law, no measuring."""
