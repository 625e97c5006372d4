"""The security layer: argument types against known attacks, and the laws that they keep."""
