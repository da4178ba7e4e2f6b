"""The code of the code patches, one module for each card below ``patches/code``."""
