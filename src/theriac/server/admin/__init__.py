"""What an operator does: on the store alone, so it works with or without running servers."""
