"""The drawings of a review as SVG: the curve of chances, and the account as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from theriac.review.results import PARTS, CurvePoint, Review, SeatAccount
from theriac.review.wording import TITLES, percent, rounded

_WIDTH: Final = 960
_HEIGHT: Final = 300
_LEFT: Final = 44
_BOTTOM: Final = 28
_TOP: Final = 12
#: The band around the curve is this many standard errors wide on either side.
_BAND: Final = 2.0


class _Scale(NamedTuple):
    """From events and chances to places in the drawing."""

    events: int

    def x(self, k: float) -> float:
        """Where event k is drawn."""
        return _LEFT + k * (_WIDTH - _LEFT - 8) / max(1, self.events - 1)

    def y(self, value: float) -> float:
        """Where a chance is drawn."""
        return _TOP + (1 - min(1.0, max(0.0, value))) * (_HEIGHT - _TOP - _BOTTOM)


def curve_svg(review: Review, seat: int) -> Markup:
    """The chances of a seat after every event, with its mistakes and the deals of each round."""
    points = review.curve
    scale = _Scale(len(points))
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" class="curve">',
        f"<title>Chances of seat {seat}, event by event</title>",
        *_grid(scale, points[0].values[seat]),
        *_rounds(scale, points),
        _band(scale, points, seat),
        _line(scale, points, seat),
        *_deals(scale, points, seat),
        *_dots(scale, review, seat),
        "</svg>",
    ]
    return Markup("".join(parts))  # noqa: S704 - numbers, and escaped texts


def _grid(scale: _Scale, fair: float) -> list[str]:
    lines = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = scale.y(share)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" class="axis">{100 * share:.0f}</text>')
    y = scale.y(fair)
    lines.append(f'<line class="fair" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
    return lines


def _rounds(scale: _Scale, points: Sequence[CurvePoint]) -> list[str]:
    """A line and a label where each round begins."""
    lines, last = [], 0
    for k, point in enumerate(points):
        if point.round != last:
            last = point.round
            x = scale.x(k)
            lines.append(
                f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" '
                f'y2="{_HEIGHT - _BOTTOM}"/>'
                f'<text x="{x + 4:.1f}" y="{_HEIGHT - 8}" class="round">round {last}</text>'
            )
    return lines


def _line(scale: _Scale, points: Sequence[CurvePoint], seat: int) -> str:
    places = " ".join(
        f"{scale.x(k):.1f},{scale.y(point.values[seat]):.1f}" for k, point in enumerate(points)
    )
    return f'<polyline class="line" points="{places}"/>'


def _band(scale: _Scale, points: Sequence[CurvePoint], seat: int) -> str:
    def edge(sign: float) -> list[str]:
        return [
            f"{scale.x(k):.1f},{scale.y(p.values[seat] + sign * _BAND * p.errors[seat]):.1f}"
            for k, p in enumerate(points)
        ]

    return f'<polygon class="band" points="{" ".join(edge(1) + edge(-1)[::-1])}"/>'


def _deals(scale: _Scale, points: Sequence[CurvePoint], seat: int) -> list[str]:
    return [
        f'<rect class="deal" x="-5" y="-5" width="10" height="10" transform="translate('
        f'{scale.x(k):.1f} {scale.y(point.values[seat]):.1f}) rotate(45)">'
        f"<title>cards, {percent(point.values[seat], point.errors[seat])}</title></rect>"
        for k, point in enumerate(points)
        if point.kind == "deal"
    ]


def _dots(scale: _Scale, review: Review, seat: int) -> list[str]:
    """The mistakes of the seat, on the curve."""
    at = {point.n: k for k, point in enumerate(review.curve) if point.kind == "move"}
    return [
        f'<circle class="dot {mistake.word}" cx="{scale.x(at[mistake.n]):.1f}" '
        f'cy="{scale.y(review.curve[at[mistake.n]].values[seat]):.1f}" r="6">'
        f"<title>move {mistake.n}: {escape(mistake.move)}</title></circle>"
        for mistake in review.mistakes
        if mistake.seat == seat
    ]


def account_svg(account: SeatAccount) -> Markup:
    """What raised the result above, what lowered it below: both bars are equally long."""
    gains = [part for part in PARTS if getattr(account, part) > 0]
    losses = [part for part in PARTS if getattr(account, part) < 0]
    total = sum(getattr(account, part) for part in gains)
    rows = []
    for y, parts in ((0, gains), (44, [*losses, "result"])):
        x = 0.0
        for part in parts:
            width = abs(getattr(account, part)) / total * _WIDTH if total else 0.0
            rows.append(_segment(account, part, x, y, width))
            x += width
    body = "".join(rows)
    return Markup(  # noqa: S704 - numbers, and our own words
        f'<svg viewBox="0 0 {_WIDTH} 84" role="img" class="account">'
        f"<title>The account of seat {account.seat}</title>{body}</svg>"
    )


def _segment(account: SeatAccount, part: str, x: float, y: int, width: float) -> str:
    """One part as a rectangle, with its name if it is wide enough."""
    value, error = getattr(account, part), getattr(account.errors, part, 0.0)
    share = rounded(value, error, signed=part not in ("fair", "result"))
    middle = x + width / 2
    label = f'<text x="{middle:.1f}" y="{y + 25}">{part} {share}</text>' if width > 110 else ""
    return (
        f'<rect class="{part}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="40">'
        f"<title>{TITLES[part]}: {share}</title></rect>{label}"
    )
