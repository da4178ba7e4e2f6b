"""What ``jtau check`` prints besides its findings."""
