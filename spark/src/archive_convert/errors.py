"""Errors that end a run."""

from __future__ import annotations


class RunError(Exception):
    """The reason for which a run cannot go on."""


class UsageError(RunError):
    """A request that makes no sense."""
