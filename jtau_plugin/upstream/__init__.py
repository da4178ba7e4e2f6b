"""The way back: repairs and patches as commits for a checkout of tau2-bench, and as a page.

Reads the checkout that it is given and never writes into it; nothing in here runs during a
simulation.
"""
