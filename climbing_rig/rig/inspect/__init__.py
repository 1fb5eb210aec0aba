"""Seeing inside a rig: listings, recordings of a tick, profiles, and why a node has no effect; ``climbing_rig rig``."""
