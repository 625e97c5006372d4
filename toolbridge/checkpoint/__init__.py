"""What stands between a call that the model asks for and its execution: what a tool says of itself,
where its arguments must come from, who decides, and what is kept of it.

The loop (`toolbridge.loop`) brings each call through; nothing here knows a vendor.
"""
