"""Killed servers, lost messages, full disks: the guarantees of docs/faults.md hold."""

import os

#: Is this the long form, `make faults`?
LONG = os.environ.get("THERIAC_FAULTS") == "long"
