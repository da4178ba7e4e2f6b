"""Human review: an overlay's texts go out as a workbook, a table or PO, and come back as a record.

Offline only. Nothing here asks a model, and nothing a reviewer wrote is dropped: what is not taken
into an overlay stands in a rejects file.
"""
