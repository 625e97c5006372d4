"""The arguments of a call held against the schema of its tool: taken as they were meant (`lax`),
checked (`validators`), and where they do not fit told in words that a model can act on (`faults`).
"""
