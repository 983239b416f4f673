"""The configuration file of a command, in TOML: every option may be written there.

A key is the name of the option with `_` for `-`. An option that is typed overrides the environment,
and the environment overrides the file.
"""

import contextlib
import difflib
import inspect
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import typer

from theriac.cli.console import name_file
from theriac.faults import Fault, listed, quote


class Setting(NamedTuple):
    """An option that a file may set: the type of its values, their range, an example."""

    name: str
    type: type
    is_list: bool
    least: float | None
    most: float | None
    example: Any


#: The section of a file with the limits of the server: `[limits]`, then `tables = 100`.
LIMITS = "limits"
#: How a sentence names a type, and an example for options without a default.
_KINDS: dict[type, tuple[str, Any]] = {
    bool: ("true or false", True),
    int: ("a whole number", 1),
    float: ("a number", 0.5),
    str: ("a text in quotes", "text"),
}


def settings_of(run: Callable[..., None], leave_out: frozenset[str]) -> dict[str, Setting]:
    """The settings of a command, from the signature of its function."""
    hints = get_type_hints(run, include_extras=True)
    defaults = inspect.signature(run).parameters
    settings = {}
    for name, hint in hints.items():
        parts = get_args(hint)
        option = next((part for part in parts if isinstance(part, typer.models.OptionInfo)), None)
        if option is None or name in leave_out:
            continue
        values = [part for part in (parts[0], *get_args(parts[0])) if part is not type(None)]
        lists = [part for part in values if getattr(part, "__origin__", None) is list]
        kind = get_args(lists[0])[0] if lists else next(v for v in values if v in _KINDS)
        default = defaults[name].default
        example = default if default not in (None, "") else _KINDS[kind][1]
        settings[name] = Setting(name, kind, bool(lists), option.min, option.max, example)
    return settings


def read_config(file: Path, settings: Mapping[str, Setting]) -> dict[str, Any]:
    """The settings in a file; raises `Fault` with the file, the key and what would be right."""
    where = name_file(file)
    try:
        with file.open("rb") as source:
            found = tomllib.load(source)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Fault(f"{where}: this is not TOML ({error})") from None
    except RecursionError:
        raise Fault(f"{where}: it is nested too deeply") from None
    except OSError as error:
        raise Fault(f"{where}: {error.strerror}") from None
    limits = found.pop(LIMITS, None) if "limit" in settings else None
    values = {key: _check(where, key, value, settings) for key, value in found.items()}
    if limits is not None:
        values["limit"] = [*values.get("limit", ()), *_check_limits(where, limits)]
    return values


def _check_limits(where: str, limits: Any) -> Iterator[str]:
    """The limits in a section of their own, as the option --limit takes them."""
    from theriac.server.limits import LARGEST, all_limits

    if not isinstance(limits, dict):
        raise Fault(f"{where}: {LIMITS}: {quote(limits)} is not a section: write [{LIMITS}]")
    known = {limit.name: limit for limit in all_limits()}
    for name, value in limits.items():
        if name not in known:
            raise Fault(f"{where}: there is no limit {quote(name)}: {nearest(name, known)}")
        limit = known[name]
        setting = Setting(
            name, limit.type, is_list=False, least=None, most=None, example=limit.default
        )
        checked = _check_value(where, setting, value)
        if not 0 < checked <= LARGEST:
            raise Fault(f"{where}: {name}: {value} is not above 0 and at most {LARGEST}")
        yield f"{name}={checked}"


def _check(where: str, key: str, value: Any, settings: Mapping[str, Setting]) -> Any:
    setting = settings.get(key)
    if setting is None:
        raise Fault(f"{where}: there is no setting {quote(key)}: {nearest(key, settings)}")
    if not setting.is_list:
        return _check_value(where, setting, value)
    if not isinstance(value, list):
        example = _written([setting.example])
        raise Fault(f"{where}: {key}: {quote(value)} is not a list, such as {key} = {example}")
    return [_check_value(where, setting, part) for part in value]


def nearest(key: str, names: Mapping[str, Any] | list[str]) -> str:
    """What to write instead of a key that does not exist."""
    close = difflib.get_close_matches(key.replace("-", "_"), list(names), n=1, cutoff=0.5)
    return f"use {close[0]}" if close else f"use {listed(sorted(names))}"


def _check_value(where: str, setting: Setting, value: Any) -> Any:
    # True is an int for Python, but not for a person.
    fits = type(value) is setting.type or (setting.type is float and type(value) is int)
    if not fits:
        example = f"{setting.name} = {_written(setting.example)}"
        kind = _KINDS[setting.type][0]
        raise Fault(f"{where}: {setting.name}: {quote(value)} is not {kind}, such as {example}")
    least, most = setting.least, setting.most
    if least is not None and most is not None and not least <= value <= most:
        raise Fault(f"{where}: {setting.name}: {value} is not from {least:g} to {most:g}")
    return value


def _written(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, list):
        return "[" + ", ".join(_written(part) for part in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def use_config(context: typer.Context, file: Path | None, settings: Mapping[str, Setting]) -> None:
    """Let the options of this command default to what a file says; raises `Fault`."""
    if file is not None:
        context.default_map = {**(context.default_map or {}), **read_config(file, settings)}


@contextlib.contextmanager
def naming_the_file(context: typer.Context, file: Path | None) -> Iterator[None]:
    """In a fault about an option that a file has set, name the file and the key instead."""
    try:
        yield
    except Fault as fault:
        option = re.match(r"--([a-z-]+)", str(fault))
        name = option[1].replace("-", "_") if option else ""
        source = context.get_parameter_source(name) if name else None
        if file is None or option is None or source is None or source.name != "DEFAULT_MAP":
            raise
        raise Fault(f"{name_file(file)}: {name}{str(fault)[option.end() :]}") from None
