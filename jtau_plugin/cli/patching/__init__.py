"""What ``jtau patches`` finds out and prints, one module for each of its actions.

Nothing in here changes a repair, a task or a checkout.
"""
