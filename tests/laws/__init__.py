"""Support code of the law tests: the laws of conversion, written as code that can be read."""
