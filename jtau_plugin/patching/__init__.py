"""The patch engine: declared, fingerprinted, reversible, listed; and the repairs of data."""
