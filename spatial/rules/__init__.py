"""The ground floor of law: what a bylaw is, what a town's staff entered, the book of both, and what a rule answers.

Shapes only: what a rule says of a case is judged in :mod:`spatial.decide`, its text read in ``layers.law``.
"""
