"""Plots as inline SVG: no scripts, colour-blind safe colours, a different marker for each name."""

from __future__ import annotations

import importlib.util
import io
import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from theriac.arena.statistics import Estimate

#: Okabe and Ito's colours, without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "osD^vPX"
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "theriac",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
}
#: Inches.
_WIDTH = 7.2
_ROW_HEIGHT = 0.42
#: Characters: of a name, and of a line of the legend.
_MAX_NAME = 36
_LEGEND_WIDTH = 84


def has_plots() -> bool:
    """Is Matplotlib installed?"""
    return importlib.util.find_spec("matplotlib") is not None


def dot_plot(
    named: Mapping[str, Estimate], label: str, *, line: float | None = None, percent: bool = False
) -> str:
    """A dot and its interval for each name, and a reference line."""
    figure, axes = _new_figure(len(named))
    for i, (name, mean) in enumerate(named.items()):
        low, high = _error_bars([mean])
        axes.errorbar(
            [mean.mean], [i], xerr=[low, high], color=colour(i), fmt=marker(i), capsize=4, ms=7,
            label=name,
        )  # fmt: skip
    if line is not None:
        axes.axvline(line, color="0.35", linestyle="--", linewidth=1)
    _name_rows(axes, list(named))
    _format_value_axis(axes.xaxis, percent)
    axes.set_xlabel(label)
    return _svg(figure, f"{label}: {_describe(named, percent)}")


def grouped_dot_plot(
    named: Mapping[str, Sequence[Estimate]], label: str, below: str, line: float | None
) -> str:
    """For each name a series of dots over the seats 0, 1, 2, …"""
    figure, axes = _new_figure(8 + _legend_lines(list(named)) / 2)
    for i, (name, means) in enumerate(named.items()):
        low, high = _error_bars(means)
        shift = (i - (len(named) - 1) / 2) * min(0.12, 0.6 / len(named))
        axes.errorbar(
            [place + shift for place in range(len(means))], [mean.mean for mean in means],
            yerr=[low, high], color=colour(i), fmt=marker(i), capsize=3, ms=6, label=name,
        )  # fmt: skip
    if line is not None:
        axes.axhline(line, color="0.35", linestyle="--", linewidth=1)
    axes.set_xticks(range(max(len(means) for means in named.values())))
    _format_value_axis(axes.yaxis, percent=True)
    axes.set_ylabel(label)
    axes.set_xlabel(below)
    _add_legend(axes)
    rows = [
        f"{name} " + ", ".join(f"{mean.mean:.0%}" for mean in means)
        for name, means in named.items()
    ]
    return _svg(figure, f"{label}, {below}: {'; '.join(rows)}")


def box_plot(named: Mapping[str, Sequence[float]], label: str) -> str:
    """For each name a box over the quartiles, with whiskers to the 5th and 95th percentile."""
    figure, axes = _new_figure(len(named))
    drawn = axes.boxplot(
        [list(values) or [math.nan] for values in named.values()], positions=range(len(named)),
        orientation="horizontal", whis=(5, 95), showmeans=True, patch_artist=True, widths=0.5,
        flierprops={"marker": ".", "markersize": 3, "alpha": 0.4},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"},
        medianprops={"color": "black"},
    )  # fmt: skip
    for i, box in enumerate(drawn["boxes"]):
        box.set(facecolor=colour(i), alpha=0.55)
    _name_rows(axes, list(named))
    _format_value_axis(axes.xaxis, percent=False)
    axes.set_xlabel(label)
    means = {
        name: sum(values) / len(values) if values else math.nan for name, values in named.items()
    }
    rows = [f"{name} {mean:.1f} on average" for name, mean in means.items()]
    return _svg(figure, f"{label}: {'; '.join(rows)}")


def stacked_bars(
    named: Mapping[str, Mapping[str, int]], label: str, kinds: Sequence[str] = ()
) -> str:
    """For each name a bar of parts that add up to 100 %; `kinds` is the order of the parts."""
    kinds = kinds or sorted({kind for parts in named.values() for kind in parts})
    figure, axes = _new_figure(len(named) + 1 + _legend_lines(kinds) / 2)
    for i, (_, parts) in enumerate(named.items()):
        left, total = 0.0, sum(parts.values())
        for j, kind in enumerate(kinds):
            width = parts.get(kind, 0) / total if total else 0.0
            axes.barh(
                i, width, left=left, height=0.6, color=colour(j), edgecolor="white",
                hatch=("", "//", "..", "xx", "\\\\", "oo", "--")[j % 7],
                label=kind if i == 0 else None,
            )  # fmt: skip
            left += width
    _name_rows(axes, list(named))
    _format_value_axis(axes.xaxis, percent=True)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_xlabel(label)
    _add_legend(axes)
    rows = [
        f"{name} " + ", ".join(f"{kind} {parts[kind]}" for kind in kinds if kind in parts)
        for name, parts in named.items()
    ]
    return _svg(figure, f"{label}: {'; '.join(rows)}")


def colour(i: int) -> str:
    """The colour of the i-th name."""
    return COLOURS[i % len(COLOURS)]


def marker(i: int) -> str:
    """The marker of the i-th name."""
    return MARKERS[i % len(MARKERS)]


def _new_figure(rows: float) -> tuple[Any, Any]:
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    # Fonts differ between browsers: leave some padding.
    layout = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.06)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, 1.0 + _ROW_HEIGHT * rows), layout=layout)
        axes = figure.subplots()
    axes.grid(color="0.9", linewidth=0.8)
    return figure, axes


def _error_bars(means: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    low = [max(0.0, m.mean - m.low) if math.isfinite(m.low) else 0.0 for m in means]
    high = [max(0.0, m.high - m.mean) if math.isfinite(m.high) else 0.0 for m in means]
    return low, high


def _name_rows(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_shorten(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)


def _shorten(name: str) -> str:
    return (
        name if len(name) <= _MAX_NAME else name[: _MAX_NAME // 2] + "…" + name[-_MAX_NAME // 2 :]
    )


def _format_value_axis(axis: Any, percent: bool) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    axis.set_major_locator(MaxNLocator(7))
    if percent:
        axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))


def _add_legend(axes: Any) -> None:
    handles, names = axes.get_legend_handles_labels()
    axes.legend(
        handles, [_shorten(name) for name in names], loc="lower left", bbox_to_anchor=(0, 1.01),
        ncols=_legend_columns(names), frameon=False,
    )  # fmt: skip


def _legend_columns(names: Sequence[str]) -> int:
    """The number of legend columns."""
    return max(1, min(4, _LEGEND_WIDTH // (6 + max(len(_shorten(name)) for name in names))))


def _legend_lines(names: Sequence[str]) -> int:
    return -(-len(names) // _legend_columns(names)) if names else 0


def _describe(named: Mapping[str, Estimate], percent: bool) -> str:
    form = "{:.0%}" if percent else "{:.4g}"
    rows = []
    for name, mean in named.items():
        row = f"{name} {form.format(mean.mean)}"
        ends = [
            f"{word} {form.format(end)}"
            for word, end in (("from", mean.low), ("to", mean.high))
            if math.isfinite(end)
        ]
        row += f" ({' '.join(ends)})" if ends else ""
        rows.append(row)
    return "; ".join(rows)


def _svg(figure: Any, alt: str) -> str:
    """The figure as an SVG element with an alternative text."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    drawn = buffer.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL)
    words = escape(alt, quote=True)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1)
