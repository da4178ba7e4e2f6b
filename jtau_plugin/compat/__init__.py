"""The only package that imports tau2: one place that knows what an installed tau2 looks like.

What happens to a localized run is decided by the layers above, which hand their decisions in
through ``compat.extension``.
"""
