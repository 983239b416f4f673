"""Data written by earlier versions must load.

`server/store.sql` is a dump of a SQLite store, and `server/seen.json` what the server sent to each
person at its tables when it was dumped; `saves/` holds games saved by the terminal. The version
before the renaming of the code wrote them; never rewrite them. Records of whole games from the same
version are the golden playthroughs of each game (`tests/playthroughs.py`).
"""
