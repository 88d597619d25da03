"""The result of an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._calls import Analysis
from .._figure import Figure, FigureFormat
from .._html import caution_list, caution_text
from .._tables import from_csv
from ..errors import CellfolioError
from ..types import Caution, FigureSourceInput, ResultFact
from .api import AsyncApi

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T", bound=Mapping[str, Any])


class AsyncResult(Generic[T]):
    """The result of an analysis. Its cautions are shown before its table.

    answer: the answer of the API.
    title: what it is of.
    """

    def __init__(self, api: AsyncApi, analysis: Analysis, dataset: str, answer: T) -> None:
        self.answer = answer
        self.title = f"{analysis.title} of {dataset}"
        self._analysis = analysis
        self._api = api

    @property
    def cautions(self) -> list[Caution]:
        """What would change a decision, the gravest first, each with `code`, `message` and `numbers`."""
        return cast(list[Caution], self.answer["warnings"])

    @property
    def facts(self) -> list[ResultFact]:
        """How the result was made, each with `code`, `title`, `message` and `numbers`."""
        return cast(list[ResultFact], self.answer["facts"])

    @cached_property
    def table(self) -> pd.DataFrame:
        """The whole table, with the columns that docs/api.md explains."""
        return from_csv(self.csv(), self._analysis.texts)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Numbers of each cell, by barcode, such as its pseudotime. Raises CellfolioError where the result has none."""
        text = self.answer.get("cells_csv")
        if text is None:
            raise CellfolioError(f"{self.title}: it has no numbers of cells.")
        return from_csv(str(text), ["barcode"]).set_index("barcode")

    def csv(self) -> str:
        """The table as CSV, below comment lines with the definition, the facts and the cautions."""
        return str(self.answer[f"{self._analysis.table}_csv"])

    async def figure(
        self, format: FigureFormat = "svg", *, width_mm: float | None = None
    ) -> Figure:
        """The figure of the result as a file. Raises CellfolioError where there is nothing to draw."""
        source = self.answer.get("source")
        if source is None:
            raise CellfolioError(f"{self.title}: nothing can be drawn of it.")
        content = await self._api.post_render_figure(
            source=cast(FigureSourceInput, source),
            format=format,
            file=None if width_mm is None else {"width_mm": width_mm},
        )
        return Figure(content, format)

    def __repr__(self) -> str:
        return caution_text(self.title, self.cautions, str(self.table))

    def _repr_html_(self) -> str:
        # pandas escapes the names in a table.
        return f"{caution_list(self.title, self.cautions)}{self.table.to_html(max_rows=20, escape=True)}"
