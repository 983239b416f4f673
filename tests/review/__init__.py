"""Reviews: skill and luck apart."""
