"""Verdicts on simulations of localized tasks; upstream's own domains are never touched."""
