"""A Japanese world for an installed, unmodified tau2-bench.

Importing this package does nothing but name its version: everything else waits until tau2 is used.
"""

__version__ = "0.1.0"
