"""`toolbridge demo`: one conversation on every vendor, through their SDKs and the real loop.

What the vendors answer comes from hand-written cassettes, from the vendors themselves, or from a
small model on this machine.
"""
