"""What the code patches change in upstream's source, one module for each contribution.

Each module offers ``EDITS``: a function from source to source for each path that it changes. They
find their place in the syntax tree (``upstream.syntax``), insert lines of our own, and raise
``AlreadyThereError`` where these stand already.
"""
