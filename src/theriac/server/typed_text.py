"""Text that people type: one line of visible characters, and names that look different.

Nicknames and chat go through `clean_line`. Nothing that a person typed reaches others with control
characters, characters that turn the direction of text, or invisible ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from theriac.faults import Fault

#: The longest nickname, in characters.
MAX_NAME = 24
#: The most combining marks on one character: every written language needs fewer.
MAX_MARKS = 4
#: Python calls these printable, but they show nothing: fillers, joiners, variation selectors, the
#: empty Braille pattern and the empty note head. U+FE0F, which makes a character an emoji, is
#: allowed.
_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0E),
        (0xFFA0, 0xFFA0),
        (0x1D159, 0x1D159),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
_EMOJI_SELECTOR = "\ufe0f"
#: Letters that look like a Latin letter in lower or upper case, after `casefold`.
_LOOKALIKES = str.maketrans(
    # Cyrillic
    "авекмнорстухѕіјԁһԛԝьӏ"
    # Greek
    "αβεζηικμνορτυχω"
    # Armenian
    "օսհոց"
    # Latin letters with a stroke or without a dot, and digits
    "ıøłđħɑɡ01|i",
    "abekmhopctyxsljdhqwbl" + "abezhlkmvoptyxw" + "ouhng" + "loldhagolll",
)


def clean_line(text: str) -> str:
    """The text in composed form with single spaces; raises `Fault` if a part cannot be shown."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if not line.strip(_EMOJI_SELECTOR):
        raise Fault("the text is empty: write something that can be seen")
    if not line.isprintable() or not _BLANK.isdisjoint(line):
        raise Fault("the text has characters that cannot be seen: leave them out")
    if _most_marks(line) > MAX_MARKS:
        raise Fault(f"a character has more than {MAX_MARKS} marks: use fewer")
    return line


def _most_marks(line: str) -> int:
    most = marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.combining(character) else 0
        most = max(most, marks)
    return most


def clean_name(name: str) -> str:
    """A nickname as it is stored; raises `Fault`."""
    try:
        line = clean_line(name)
    except Fault as fault:
        raise Fault(f"this nickname cannot be used: {fault}") from None
    if len(line) > MAX_NAME:
        raise Fault(f"this nickname cannot be used: give at most {MAX_NAME} characters")
    return line


def skeleton(name: str) -> str:
    """What names that look alike have in common.

    >>> cyrillic, wide, accented = "\u0410n\u0430", "\uff21\uff4e\uff41", "\u00c1na"
    >>> skeleton("Ana") == skeleton(cyrillic) == skeleton(wide) == skeleton(accented)
    True
    """
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    alike = letters.replace(_EMOJI_SELECTOR, "").casefold().translate(_LOOKALIKES)
    return " ".join(alike.replace("rn", "m").split())


def distinct_name(name: str, others: Collection[str]) -> str:
    """The name, with a number where one of the others looks the same.

    >>> distinct_name("Ana", ["Bo", "ana"])
    'Ana (2)'
    """
    taken = {skeleton(other) for other in others}
    number, distinct = 1, name
    while skeleton(distinct) in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct
