"""Law 3 as code: would the vendor take this written payload?

- `verdict`: the one door, all findings on a request or a response.
- `vendor_types`: the official SDKs' types with unknown keys forbidden, made by `sdk_types`.
- `allowed`: what a vendor takes and those types do not know; dated, each row with its source.
- `rules`: the rules of the vendors that no type expresses, each with its source.
- `signatures`: what one vendor sealed may not reach another.
"""
