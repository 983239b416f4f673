"""Every board of `boards`: whole games with a mouse and by keys; every language; as text."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Literal

from playwright.sync_api import expect

from tests.page.boards import BOARDS, Hands, each_board, hands_of, title_of
from tests.page.browser import LOST, SCHEMES, TIMEOUT_MS, SocketSwitch, Visitor, press_until
from tests.page.conftest import Visit
from tests.page.windows import settled_faults
from tests.server.server_process import ServerProcess
from theriac.game import Game
from theriac.testing.profiles import often
from theriac.testing.setups import short_options

OTHER_LANGUAGES = ("pt", "fr", "ja")
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
#: After this many moves a page is reloaded, Ana's connection is cut, the server restarts.
RELOADED, CUT, STOPPED = 2, 3, 4
#: The game in which the server restarts. To a board that is the same as a connection that was cut.
RESTARTED = BOARDS[0]
#: After this many moves, in the turn that follows, the screen is checked.
CHECKED_AFTER = 3


class Players:
    """Ana, and in one game Ben, at a table with bots, in a short game.

    Each page at a table draws every move. So one plays in turn with a mouse in a large window and
    with keys in a small one, and only where the server restarts there are two: `test_shokoba`,
    `test_shock` and `test_whole_games` have two players at the other boards.
    """

    def __init__(self, game: Game, server: ServerProcess, visit: Visit) -> None:
        self.game, self.server = game, server
        names = ("Ana", "Ben") if game is RESTARTED else ("Ana",)
        chance = Random(1)
        self.hands = [hands_of(game)(visit("phone"), chance, name) for name in names]
        self.ana, self.last = self.hands[0].visitor, self.hands[-1].visitor
        self.line = SocketSwitch(self.ana.page)

    def sit_down(self) -> None:
        """All come to a table by its link: Ana with the mouse, Ben by keys."""
        options = short_options(self.game)
        seats = [None] * len(self.hands)
        bots = ["easy"] * (options.pop("players") - len(seats))
        table = self.server.new_player("Cy").open(self.game.name, seats + bots, options=options)
        for one in self.hands:
            one.page.goto(f"/table/{table}")
        self.ana.page.get_by_label("Nickname").fill("Ana")
        self.ana.button("Sit here").first.click()
        for one in self.hands[1:]:
            expect(one.page.get_by_text("Ana", exact=True)).to_be_visible()
            press_until(one.page, "Tab", "Nickname")
            one.page.keyboard.type(one.name)
            press_until(one.page, "Tab", "Sit here")
            one.page.keyboard.press("Enter")

    def play(self) -> int:
        """Play until the game is over; how many moves they made."""
        moves = 0
        while True:
            hands = self._whose_turn()
            if hands is None:
                return moves
            if moves == CHECKED_AFTER:
                self.check_screens("table")
            self._move(hands, by_mouse=moves % 2 == 0)
            moves += 1
            self._cause_fault(moves)

    def _move(self, hands: Hands, *, by_mouse: bool) -> None:
        """Make a move, with the mouse in a large window or by keys in a small one."""
        hands.visitor.resize("desktop" if by_mouse else "phone")
        assert settled_faults(hands.visitor) == []
        if by_mouse:
            hands.move_by_mouse()
        else:
            hands.move_by_keyboard()

    def play_again(self) -> None:
        """Another game at the same table."""
        self.ana.button("Play again").click()
        expect(self.ana.button("Play again")).to_have_count(0)
        for one in self.hands[1:]:
            expect(one.visitor.button("Play again")).to_be_visible()  # his page may be behind hers
            press_until(one.page, "Tab", "Play again")
            one.page.keyboard.press("Enter")
            expect(one.visitor.button("Play again")).to_have_count(0)
        expect(self.ana.page.locator(".status")).to_be_visible()

    def check_screens(self, name: str) -> None:
        """Check a screen dark and large, light and small."""
        for visitor, size in ((self.ana, "desktop"), (self.last, "phone")):
            visitor.resize(size)
            visitor.page.emulate_media(color_scheme=SCHEMES[size])
            visitor.check_screen(f"{self.game.name}-{name}")

    def _whose_turn(self) -> Hands | None:
        """Wait until it is somebody's turn, or (None) the game is over."""
        latest = monotonic() + 2 * TIMEOUT_MS / 1000
        while monotonic() < latest:
            for one in self.hands:
                if one.visitor.to_do == "read":
                    one.visitor.read_sheet()
                if one.visitor.to_do == "play":
                    return one
            if self.ana.to_do == "over":
                return None
            self.ana.page.wait_for_timeout(50)
        raise AssertionError("the game does not continue")

    def _cause_fault(self, moves: int) -> None:
        if moves == RELOADED:
            self.last.page.reload()
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
        visitors = [one.visitor for one in self.hands]
        seen = [self._table(visitor) for visitor in visitors]
        assert self.server.stop() == 0
        try:
            for visitor in visitors:
                expect(visitor.page.get_by_text(LOST)).to_be_visible()
        finally:
            self.server.start()  # other tests use it too
        for visitor in visitors:
            visitor.wait_for_connection()
            visitor.ignore_downtime_errors()
        assert [self._table(visitor) for visitor in visitors] == seen

    @staticmethod
    def _table(visitor: Visitor) -> list[str]:
        """The seats and what they have, who is to play, and the cards of the hand."""
        parts = visitor.page.locator(".seat, .hand button:not([inert])")
        return [" ".join(text.split()) for text in parts.all_text_contents()]


@each_board
def test_a_whole_game(server: ServerProcess, visit: Visit, game: Game) -> None:
    players = Players(game, server, visit)
    players.sit_down()
    while players.play() < STOPPED:  # a fort may be lost at once
        players.play_again()
    ends = [one.page.get_by_role("dialog", name="Game over") for one in players.hands]
    for end in ends:
        expect(end).to_contain_text("the record agrees with your receipt")
    tables = [end.locator("tbody").all_inner_texts() for end in ends]
    assert tables == [tables[0]] * len(tables)
    players.check_screens("over")
    last = players.last.page
    press_until(last, "Tab", "Replay this game")
    last.keyboard.press("Enter")
    expect(last.get_by_role("button", name="One move back")).to_be_visible()
    players.last.check_screen(f"{game.name}-replay")
    players.last.resize("desktop")
    players.last.check_layout(f"{game.name}-replay")


@each_board
def test_every_language(visit: Visit, game: Game) -> None:
    ana = visit("phone", color_scheme="dark")
    page = ana.page
    ana.play_from_home(title_of(game))
    assert ana.wait_for_turn()
    ana.press(page.locator(".hand button").first)
    # One after the other gets its board: in `make test-long` every board has all.
    turn = BOARDS.index(game) % len(OTHER_LANGUAGES)
    for language in ("en", *often(OTHER_LANGUAGES[turn : turn + 1], OTHER_LANGUAGES)):
        # What axe checks depends on the language little: `test_everyone` checks one game in all.
        check = ana.check_screen if language == "en" else ana.check_layout
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
    ana.page.add_init_script("localStorage.setItem('theriac.pace', 'quick')")
    ana.play_now(game.name)
    motions: dict[Literal["no-preference", "reduce"], bool] = {
        "no-preference": True,
        "reduce": False,
    }
    for motion, moved in motions.items():
        ana.page.emulate_media(reduced_motion=motion)
        while not ana.wait_for_turn():  # a fort may be lost at once
            ana.button("Play again").click()
            expect(ana.button("Play again")).to_have_count(0)  # else it is found while it goes
        check_that_a_card_stays_under_the_pointer(ana)
        button = hands_of(game)(ana, Random(2)).choose()
        assert button.evaluate(CARDS_FLY) is moved
