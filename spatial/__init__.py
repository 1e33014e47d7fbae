"""Geometry and judgement: read → normalise → index → measure → decide.

Nothing here knows a web server, a network, a database, a clock, a setting or a town.
"""
