"""Killing servers, losing messages, filling disks: what a table promises must hold all the same."""

import os

#: Is it the long form, `make faults`?
LONG = os.environ.get("THERIAC_FAULTS") == "long"
