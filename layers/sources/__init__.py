"""Where layers come from: the agencies' services, fetched whole or refused.

Only this package talks to the network.
"""
