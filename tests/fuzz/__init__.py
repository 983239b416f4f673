"""Any input succeeds or raises a `Fault`; no other exception."""
