"""What the boards of all games have in common for a player who uses keys only."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browser import Visitor, press_until


def choose(ana: Visitor, name: str) -> None:
    """Walk to the card of the hand with this name, and choose it."""
    press_until(ana.page, "Tab", name, part="hand")
    if ana.page.evaluate("document.activeElement.ariaPressed") != "true":  # left by a refused move
        ana.page.keyboard.press("Space")
    chosen = ana.page.locator(".hand button[aria-pressed=true]:not([inert])")
    expect(chosen).to_be_focused()
