"""The parts of ``jtau review``."""
