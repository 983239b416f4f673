"""What the server writes down as it runs: a line of JSON for each thing, and no secret in any."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

#: What a log record may carry beside its message.
_EXTRA = ("table", "seconds", "status", "path", "method")


class JsonLines(logging.Formatter):
    """A line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """When, how grave, who says it, what."""
        told: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        told |= {name: vars(record)[name] for name in _EXTRA if name in vars(record)}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()


def is_ours(record: logging.LogRecord) -> bool:
    """Is it about the server? A client that sends what is no text is told so, and is no error."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received from client")


def set_up(level: str) -> None:
    """Write to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(is_ours)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # Alembic and the like have more to say than whoever runs a club wants to read.
    for name in ("alembic", "sqlalchemy", "aiosqlite", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
