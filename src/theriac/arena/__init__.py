"""The arena and the lab: bots against each other, and the effect of a rule or a deck on a game.

`schedule` lists the games, `arena_game` plays one of them, `worker` runs it in a process that can
be killed, `worker_pool` and `cluster` play many on this machine or on Ray, `results_log` stores
their results, `luck` measures the luck in a game. `statistics`, `ratings`, `differences` and
`reduction` (results without luck) evaluate them, `results` and `metrics` put them together,
`verdict` says who is better, `export`, `plots` and `report` write it all out.
"""
