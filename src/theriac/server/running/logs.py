"""Logging: one line of JSON per record, on standard error. No secret is ever logged."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

#: The extra fields that a log record may have.
_EXTRA_FIELDS = ("table", "seconds", "status", "path", "method")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the level, the logger and the message; the traceback of an error."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        line |= {name: vars(record)[name] for name in _EXTRA_FIELDS if name in vars(record)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


#: What uvicorn says, without saying who, about a request that it cannot read and about each socket.
#: Who sends many of them would fill the log.
_OF_ONE_CLIENT = (
    "Invalid HTTP request received",
    "Invalid UTF-8 sequence received from client",
    "Unsupported upgrade request",
    "connection closed",
    "connection open",
    "connection rejected",
)


def is_not_of_one_client(record: logging.LogRecord) -> bool:
    """Drop what a single client causes: it gets a reply."""
    return not record.getMessage().startswith(_OF_ONE_CLIENT)


def set_up(level: str) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    handler.addFilter(is_not_of_one_client)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for chatty in ("alembic", "sqlalchemy", "aiosqlite", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
