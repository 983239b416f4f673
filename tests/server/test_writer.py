"""The batched writer: every caller of a write is answered, however the store fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from theriac.server.store.database import StoreFault
from theriac.server.store.transactions import Transactions
from theriac.server.store.writer import BatchWriter, VersionTaken

#: Longer than any of these writes takes, in seconds.
ANSWER_TIMEOUT_S = 20.0
TAKEN = IntegrityError("INSERT", None, ValueError("this number is taken"))


class FailingTransactions(Transactions):
    """Fails on demand: one error for each transaction, none to succeed."""

    def __init__(self, *errors: BaseException | None) -> None:
        self._errors = list(errors)

    async def run(self, statements: Sequence[Any], log_rows: Sequence[dict[str, Any]]) -> None:
        """Fail, or do nothing."""
        if self._errors and (error := self._errors.pop(0)) is not None:
            raise error

    async def close(self) -> None:
        """Nothing was opened."""


def answers(*errors: BaseException | None) -> list[type]:
    """How two writes of one batch and a later one end when the transactions fail so."""

    async def write() -> list[type]:
        writer = BatchWriter(FailingTransactions(*errors))
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            batch = await asyncio.gather(
                writer.write("a", [], []), writer.write("b", [], []), return_exceptions=True
            )
            later = await asyncio.gather(writer.write("c", [], []), return_exceptions=True)
            await writer.close()
        return [type(answer) for answer in (*batch, *later)]

    return asyncio.run(write())


@pytest.mark.parametrize("error", [OperationalError("", None, ValueError()), ValueError("unknown")])
def test_a_failed_batch_is_answered_and_the_next_one_is_written(error: Exception) -> None:
    assert answers(error) == [StoreFault, StoreFault, type(None)]


@pytest.mark.parametrize("error", [OperationalError("", None, ValueError()), ValueError("unknown")])
def test_a_failure_after_a_taken_number_fails_that_write_alone(error: Exception) -> None:
    assert answers(TAKEN, error, None) == [StoreFault, type(None), type(None)]
    assert answers(TAKEN, TAKEN, error) == [VersionTaken, StoreFault, type(None)]
