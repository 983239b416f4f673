"""The arena and the lab: bots against each other, and what a rule or a deck does to a game.

`plan` says which games there are, `sitting` plays one of them, `worker` keeps it in a process that
may be killed, `crew` and `cluster` play many on this machine or with Ray, `ledger` keeps what was
played, `tally` and `measures` make numbers of it, `plots` and `page` show them.
"""
