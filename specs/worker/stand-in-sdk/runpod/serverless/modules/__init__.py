"""Modules of the SDK that a handler may import."""
