"""Every board of `boards`: whole games of two browsers and a bot; every language; as text."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Literal

from playwright.sync_api import expect

from tests.page.boards import BOARDS, each_board, hands_of, title_of
from tests.page.browser import LOST, TIMEOUT_MS, SocketSwitch, Visitor, press_until
from tests.page.conftest import Visit
from tests.server.server_process import ServerProcess
from theriac.game import Game
from theriac.testing.setups import short_options

LANGUAGES = ("en", "pt", "fr", "ja")
#: The number of heights at which a card is drawn once it should have come to rest.
PLACES = """card => new Promise(done => {
    const tops = new Set(), begin = performance.now();
    const look = now => {
        if (now > begin + 250) tops.add(card.getBoundingClientRect().top);
        if (now > begin + 750) done(tops.size);
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
#: Clicks; do cards fly until half a second after the move is in the log? A busy page may draw no
#: frame while one flies.
CARDS_FLY = """button => new Promise(done => {
    const isCard = (one) => one?.matches("[data-card], .flying-card") ?? false;
    const logged = () => document.querySelectorAll('ol.log li').length;
    const before = logged(), { animate } = Element.prototype;
    let flew = false, gone = 0;
    Element.prototype.animate = function (...given) {
        flew ||= isCard(this);
        return animate.apply(this, given);
    };
    const look = () => {
        flew ||= document.getAnimations().some((one) => isCard(one.effect?.target));
        if (!gone && logged() !== before) gone = performance.now();
        if (!gone || (!flew && performance.now() < gone + 500)) return;
        clearInterval(timer);
        Element.prototype.animate = animate;
        done(flew);
    };
    const timer = setInterval(look, 10);
    button.click();
})"""
#: After this many moves Ben's page is reloaded, Ana's connection is cut, the server restarts.
RELOADED, CUT, STOPPED = 2, 3, 4
#: The game in which the server restarts. To a board that is the same as a connection that was cut.
RESTARTED = BOARDS[0]
#: After this many moves both screens are checked.
CHECKED_AFTER = 5


class TwoPlayers:
    """Ana with a mouse and Ben with a keyboard, at one table with bots, in a short game."""

    def __init__(self, game: Game, server: ServerProcess, visit: Visit) -> None:
        self.game, self.server = game, server
        self.ana = visit("desktop", color_scheme="dark")
        self.ben = visit("phone", color_scheme="light")
        self.line = SocketSwitch(self.ana.page)
        chance = Random(1)
        self.hands = {
            self.ana: hands_of(game)(self.ana, chance, "Ana"),
            self.ben: hands_of(game)(self.ben, chance, "Ben"),
        }

    def sit_down(self) -> None:
        """Ana and Ben come to a table by its link."""
        options = short_options(self.game)
        seats = [None, None, *["easy"] * (options.pop("players") - 2)]
        table = self.server.new_player("Cy").open(self.game.name, seats, options=options)
        for visitor in self.hands:
            visitor.page.goto(f"/table/{table}")
        self.ana.page.get_by_label("Nickname").fill("Ana")
        self.ana.button("Sit here").first.click()
        expect(self.ben.page.get_by_text("Ana", exact=True)).to_be_visible()
        press_until(self.ben.page, "Tab", "Nickname")
        self.ben.page.keyboard.type("Ben")
        press_until(self.ben.page, "Tab", "Sit here")
        self.ben.page.keyboard.press("Enter")

    def play(self) -> int:
        """Play until the game is over; how many moves the two of them made."""
        moves = 0
        while True:
            visitor = self._whose_turn()
            if visitor is None:
                return moves
            if visitor is self.ana:
                self.hands[visitor].move_by_mouse()
            else:
                self.hands[visitor].move_by_keyboard()
            moves += 1
            self._cause_fault(moves)
            if moves == CHECKED_AFTER:
                self.check_screens("table")

    def play_again(self) -> None:
        """Another game at the same table."""
        self.ana.button("Play again").click()
        expect(self.ben.button("Play again")).to_be_visible()  # his page may be behind hers
        press_until(self.ben.page, "Tab", "Play again")
        self.ben.page.keyboard.press("Enter")
        expect(self.ben.button("Play again")).to_have_count(0)
        expect(self.ana.page.locator(".status")).to_be_visible()

    def check_screens(self, name: str) -> None:
        """Check the screens of both."""
        for visitor in self.hands:
            visitor.check_screen(f"{self.game.name}-{name}")

    def _whose_turn(self) -> Visitor | None:
        """Wait until it is somebody's turn, or (None) the game is over."""
        latest = monotonic() + 2 * TIMEOUT_MS / 1000
        while monotonic() < latest:
            for visitor in self.hands:
                visitor.read_sheet()
                if visitor.page.locator(".status.turn").count():
                    return visitor
            if self.ana.button("Play again").count():
                return None
            self.ana.page.wait_for_timeout(50)
        raise AssertionError("the game does not continue")

    def _cause_fault(self, moves: int) -> None:
        if moves == RELOADED:
            self.ben.page.reload()
        elif moves == CUT:
            self.line.cut()
            expect(self.ana.page.get_by_text(LOST)).to_be_visible()
            self.line.mend()
            self.ana.wait_for_connection()
        elif moves == STOPPED and self.game is RESTARTED:
            self._stop_the_server()

    def _stop_the_server(self) -> None:
        """Restart the server: nothing on the table has changed."""
        if self._whose_turn() is None:
            return
        seen = [self._table(visitor) for visitor in self.hands]
        assert self.server.stop() == 0
        try:
            for visitor in self.hands:
                expect(visitor.page.get_by_text(LOST)).to_be_visible()
        finally:
            self.server.start()  # other tests use it too
        for visitor in self.hands:
            visitor.wait_for_connection()
            visitor.ignore_downtime_errors()
        assert [self._table(visitor) for visitor in self.hands] == seen

    @staticmethod
    def _table(visitor: Visitor) -> list[str]:
        """The seats and what they have, who is to play, and the cards of the hand."""
        parts = visitor.page.locator(".seat, .hand button:not([inert])")
        return [" ".join(text.split()) for text in parts.all_text_contents()]


@each_board
def test_a_whole_game(server: ServerProcess, visit: Visit, game: Game) -> None:
    friends = TwoPlayers(game, server, visit)
    ana, ben = friends.ana.page, friends.ben.page
    friends.sit_down()
    while friends.play() < STOPPED:  # a fort may be lost at once
        friends.play_again()
    ends = [page.get_by_role("dialog", name="Game over") for page in (ana, ben)]
    for end in ends:
        expect(end).to_contain_text("the record agrees with your receipt")
    tables = [end.locator("tbody").all_inner_texts() for end in ends]
    assert tables[0] == tables[1]
    friends.check_screens("over")
    ana.get_by_role("link", name="Replay this game").click()
    press_until(ben, "Tab", "Replay this game")
    ben.keyboard.press("Enter")
    for page in (ana, ben):
        expect(page.get_by_role("button", name="One move back")).to_be_visible()
    friends.check_screens("replay")


@each_board
def test_every_language(visit: Visit, game: Game) -> None:
    ana = visit("phone", color_scheme="dark")
    page = ana.page
    ana.play_from_home(title_of(game))
    assert ana.wait_for_turn()
    ana.press(page.locator(".hand button").first)
    for language in LANGUAGES:
        # What axe checks depends on the language little: `test_everyone` checks one game in all.
        check = ana.check_screen if language == LANGUAGES[0] else ana.check_layout
        ana.choose_language(language)
        check(f"{game.name}-{language}")
        ana.show_as_text(True)
        expect(page.locator(".moves button").first).to_be_attached()
        check(f"{game.name}-text-{language}")
        ana.show_as_text(False)


def check_that_a_card_stays_under_the_pointer(ana: Visitor) -> None:
    """It rises when the pointer is on its lower edge, and does not fall and rise forever."""
    card = ana.page.locator(".hand button.card:not(.not)").first
    card.hover()
    ana.page.wait_for_timeout(200)
    box = card.bounding_box()
    assert box is not None
    ana.page.mouse.move(0, 0)
    ana.page.wait_for_timeout(200)
    ana.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] + 2)
    assert card.evaluate(PLACES) == 1


@each_board
def test_cards_move_except_with_reduced_motion(visit: Visit, game: Game) -> None:
    ana = visit(reduced_motion="no-preference")
    ana.context.add_init_script("localStorage.setItem('theriac.pace', 'quick')")
    ana.play_now(game.name)
    motions: dict[Literal["no-preference", "reduce"], bool] = {
        "no-preference": True,
        "reduce": False,
    }
    for motion, moved in motions.items():
        ana.page.emulate_media(reduced_motion=motion)
        while not ana.wait_for_turn():  # a fort may be lost at once
            ana.button("Play again").click()
        check_that_a_card_stays_under_the_pointer(ana)
        button = hands_of(game)(ana, Random(2)).choose()
        assert button.evaluate(CARDS_FLY) is moved
