"""Mechanical quality checks of overlays: each a small function with a severity and a title.

Pure: segments and words in, findings out. Nothing here reads a file, knows tau2, or asks the
network; ``translation`` brings the segments, a locale's data the words.
"""
