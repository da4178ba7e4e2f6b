"""The parts of ``jtau grade``: what may be graded together, how, and what came out."""
