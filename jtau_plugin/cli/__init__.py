"""The command ``jtau``: one module per command, and ``diagnosis`` for what ``jtau doctor`` asks.

Commands decide nothing about a simulation: they load, ask, print, and hand on to tau2.
"""
