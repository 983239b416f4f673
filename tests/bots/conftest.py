"""The networks of `samples.NEURAL_BOT`, written when the first test of bots runs."""

from __future__ import annotations

import pytest

from tests.bots.samples import NETWORKS
from tests.networks import write_networks


@pytest.fixture(scope="session", autouse=True)
def _networks() -> None:
    write_networks(NETWORKS)
