"""Limits: their names and values, and the documents that list them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theriac.faults import Fault
from theriac.server.limits import Limits, all_limits, limits_from, parse_limits
from theriac.server.rate_limit import RateLimiter

DOCUMENT = Path(__file__).parents[2] / "docs" / "limits.md"


def test_the_document_lists_every_limit_and_its_value() -> None:
    listed: dict[str, float] = {}
    for names, values in re.findall(
        r"^\| (`.+?`) \| ([\d., ]+?) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    ):
        numbers = [float(value) for value in values.split(", ")]
        listed.update(zip(re.findall(r"`(\w+)`", names), numbers, strict=True))
    assert listed == {limit.name: float(limit.default) for limit in all_limits()}


def test_limits_are_changed_by_name() -> None:
    limits = parse_limits(["bot_tables=50", "bot_share=0.25"])
    assert limits == Limits(bot_tables=50, bot_share=0.25)
    assert limits_from({"bot_tables": 50, "bot_share": 0.25}) == limits
    assert isinstance(limits.bot_tables, int)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nosuch=1", "limit nosuch: use all_log_bytes, "),
        ("bot_tables", "--limit bot_tables: give a name and a number, such as bot_tables=50"),
        ("bot_tables=", "give a name and a number"),
        ("bot_tables=many", "give a name and a number"),
        ("bot_tables=nan", "give a name and a number"),
        ("bot_tables=inf", "give a name and a number"),
        ("bot_tables=1.5", "limit bot_tables: 1.5 is not a whole number"),
        ("bot_tables=0", "limit bot_tables: 0 is not above 0"),
        ("bot_share=-1", "limit bot_share: -1.0 is not above 0"),
    ],
)
def test_a_wrong_limit_is_refused(text: str, why: str) -> None:
    with pytest.raises(Fault, match=re.escape(why)):
        parse_limits([text])


@pytest.mark.parametrize("value", [True, "5", None, [1]])
def test_a_limit_of_a_wrong_type_is_refused(value: object) -> None:
    with pytest.raises(Fault, match=r"limit bot_tables: .* is not a whole number"):
        limits_from({"bot_tables": value})


def test_a_rate_limiter_keeps_a_bounded_number_of_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimiter, "MAX_BUCKETS", 3)
    limiter = RateLimiter(rate=1e-9, burst=1)
    assert [limiter.take("busy"), limiter.take("busy")] == [True, False]
    for key in "abcdef":
        limiter.take(key)
        assert not limiter.take("busy"), "a key in use stays"
    assert limiter.take("a"), "one that was not used for long is forgotten"
