"""What notebooks and consoles show of results. Names come from files of others: everything is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .types import Caution


def caution_list(title: str, cautions: Sequence[Caution]) -> str:
    """Title and cautions of a result as HTML."""
    items = "".join(f"<li>{escape(caution['message'])}</li>" for caution in cautions)
    listed = f"<p><b>Cautions</b></p><ul>{items}</ul>" if items else ""
    return f"<div><p><b>{escape(title)}</b></p>{listed}</div>"


def caution_text(title: str, cautions: Sequence[Caution], table: str = "") -> str:
    """The same as text above a table, without characters that would control a terminal."""
    lines = [
        title,
        *(f"Caution: {caution['message']}" for caution in cautions),
        *table.splitlines(),
    ]
    return "\n".join(printable(line) for line in lines)


def printable(text: str) -> str:
    """Text in one line, with `?` in place of what is not printed."""
    return "".join(each if each.isprintable() else "?" for each in text)
