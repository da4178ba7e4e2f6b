"""Offline work on overlays: reads the installed English beside a locale's own texts.

Nothing in here runs during a simulation.
"""
