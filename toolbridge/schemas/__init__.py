"""Tool schemas: adapted to what a target takes, and the arguments brought back."""
