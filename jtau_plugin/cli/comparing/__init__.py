"""What ``jtau compare``, ``jtau analyze`` and ``jtau plot`` share: their arguments and floors."""
