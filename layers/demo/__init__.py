"""A small invented town pair, made from a seed, so that the main job runs anywhere without a real map.

Doverbrook and Lynnmere do not exist: their lots, owners, waters and boundaries are invented, and every name
says so. Only the coordinates are real: the towns are drawn over the Quabbin Reservoir, where nobody lives.
"""
