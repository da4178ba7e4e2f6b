"""Compares arms: runs of the same tasks that differ in language, model or settings.

Pairs what was recorded by task and trial. Never grades, and never mixes runs of different facts,
protocols, repairs or overlays unless it is told to, in which case it says so.
"""
