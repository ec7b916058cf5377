"""Stands in for the official SDK where that is not installed: the same names, and the same calls on the wire."""

from . import serverless

__all__ = ["serverless"]
