"""What calls are made of."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from .types import SubsetFilterInput


class Omit(enum.Enum):
    """A field that is not sent, where `None` is a value of its own."""

    OMIT = "omit"

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Final = Omit.OMIT

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage of the work, how much is done, and of how much. What it raises cancels the call."""

Cells: TypeAlias = SubsetFilterInput
"""A filter that chooses cells of a dataset, as `cellfolio.subset` makes it."""


@dataclass(frozen=True)
class Analysis:
    """How an analysis is called, and read.

    table: beginning of the name of its table in the answer.
    texts: columns of the table whose values are texts, also where all of them look like numbers.
    """

    title: str
    path: str
    table: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """A call of the API.

    session: id of the session that it belongs to, with its own open dataset.
    """

    method: str
    path: str
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    session: str | None = None

    def params(self) -> list[tuple[str, str | int | float | bool | None]]:
        """Query parameters; a list is a parameter for each of its values."""
        return [
            (name, str(value).lower() if isinstance(value, bool) else str(value))
            for name, values in (self.query or {}).items()
            if values is not OMIT
            for value in (values if isinstance(values, (list, tuple)) else [values])
        ]

    def content(self) -> bytes | None:
        """The body as JSON."""
        if self.body is None:
            return None
        sent = {name: value for name, value in self.body.items() if value is not OMIT}
        return json.dumps(sent, allow_nan=False).encode()


@dataclass(frozen=True)
class Answer:
    """The body of an answer."""

    content: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:
        """The value that the body is the JSON of."""
        return json.loads(self.content)
