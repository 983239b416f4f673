"""The documentation site: `make docs` builds it into `build/docs/html`.

Sphinx with MyST and Furo, since it turns the `>>>` examples of our docstrings into code blocks,
checks every link and every reference, and stops on warnings. Nothing is loaded from other hosts.

The pages of `docs/` are copied to `build/docs/source`. Everything that the code already knows is
generated beside them: the pages of the games, the clauses, the commands, the library reference, the
examples and the measurements.
"""
