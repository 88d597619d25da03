"""A live map of cells in a notebook, with a lasso. `Dataset.map` makes one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import numpy.typing as npt
import pandas as pd
import traitlets

_FOLDER = Path(__file__).parent
_LEVELS = 254
_LEGEND = 5


class CellMap(anywidget.AnyWidget):
    """A map of all cells of a dataset.

    selected: rows of the cells that were selected last, for `Dataset.select`, `Dataset.obs` and arrays.
    """

    _esm = _FOLDER / "widget.js"
    _css = _FOLDER / "widget.css"
    _positions = traitlets.Bytes().tag(sync=True)
    _levels = traitlets.Bytes().tag(sync=True)
    _facts = traitlets.Dict().tag(sync=True)
    # A notebook sends a view of bytes.
    _bits = traitlets.Bytes().tag(sync=True, from_json=lambda value, _: bytes(value))

    def __init__(
        self,
        coordinates: npt.NDArray[np.floating[Any]],
        values: pd.Series[Any],
        *,
        title: str,
        colors: list[str],
        is_gene: bool,
    ) -> None:
        self._cells = len(coordinates)
        levels, labels = _leveled(values, is_gene)
        facts = {
            "title": title,
            "colors": colors,
            "is_gene": is_gene,
            "legend": list(labels.values()),
            "legend_levels": list(labels),
        }
        super().__init__(
            _positions=_placed(coordinates).tobytes(),
            _levels=levels.astype("<u2").tobytes(),
            _facts=facts,
            _bits=b"",
        )

    @property
    def selected(self) -> npt.NDArray[np.int64]:
        bits = np.frombuffer(self._bits, dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(bits, bitorder="little")[: self._cells])


def _placed(coordinates: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float32]:
    """Two axes from 0 to 1, with one scale for both; NaN for a cell without a position."""
    points = coordinates[:, :2].astype(np.float64)
    points[~np.isfinite(points).all(axis=1)] = np.nan
    if np.isnan(points).all():
        return points.astype("<f4")
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    extent = (high - low).max() or 1.0
    placed: npt.NDArray[np.float32] = ((points - (low + high) / 2) / extent + 0.5).astype("<f4")
    return placed


def _leveled(values: pd.Series[Any], is_gene: bool) -> tuple[npt.NDArray[np.int64], dict[int, str]]:
    """A level for each cell, 0 where the value is missing, and the levels of the legend with their labels."""
    levels: npt.NDArray[np.int64]
    labels: dict[int, str]
    if isinstance(values.dtype, pd.CategoricalDtype):
        levels = np.asarray(values.cat.codes, dtype=np.int64) + 1
        labels = {at + 1: str(name) for at, name in enumerate(values.cat.categories)}
    else:
        numbers = values.to_numpy(dtype=np.float64)
        valid = np.isfinite(numbers)
        low = 0.0 if is_gene else float(numbers[valid].min(initial=np.inf))
        # A few high values would leave the others one color.
        high = float(np.percentile(numbers[valid], 99.9)) if valid.any() else 0.0
        span = high - low if high > low else 1.0
        levels = np.zeros(len(numbers), dtype=np.int64)
        scaled = np.clip((numbers[valid] - low) / span, 0, 1)
        levels[valid] = 1 + np.round(scaled * (_LEVELS - 1)).astype(np.int64)
        if is_gene:
            # Level 1 is no expression alone.
            levels[valid & (numbers > 0) & (levels == 1)] = 2
        steps = np.linspace(0, 1, _LEGEND)[::-1]
        labels = {
            1 + round(step * (_LEVELS - 1)): f"{low + step * span:.3g}" for step in steps.tolist()
        }
    if (levels == 0).any():
        labels[0] = "missing"
    return levels, labels
