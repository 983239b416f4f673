"""The arena and the lab: bots against each other, and the effect of a rule or a deck on a game.

`schedule` lists the games, `arena_game` plays one of them, `worker` runs it in a process that can
be killed, `worker_pool` and `cluster` play many on this machine or on Ray, `results_log` stores
their results, `statistics`, `results` and `metrics` evaluate them, `export`, `plots` and `report`
write them out.
"""
