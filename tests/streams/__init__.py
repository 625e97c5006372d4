"""Streams: read, written and converted, by the machines that do no I/O."""
