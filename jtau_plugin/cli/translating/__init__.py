"""What ``jtau translate`` and ``jtau sync`` have in common: options, progress, reports."""
