"""What every game must do: these tests find the games, and know none."""
