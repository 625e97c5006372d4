"""What stands behind `toolbridge convert`: one payload, many lines, or a stream."""
