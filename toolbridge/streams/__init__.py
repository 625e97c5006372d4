"""Streams: events, and the machines that read, write and convert them without I/O."""

from toolbridge.streams import events

__all__ = ["events"]
