"""Columns of all cells as bytes, and cells as a text: what `packages/columns` of the server writes and reads.

They are in the map order of a dataset: the cells by the Morton code of their position in the default embedding.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._extras import extra
from .errors import CellfolioError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_STEPS = 65_535


@dataclass(frozen=True)
class Column:
    """header: facts of the column, by its kind. body: the bytes of its values."""

    header: Mapping[str, Any]
    body: bytes

    @property
    def cells(self) -> int:
        return int(self.header["cells"])


def column(content: bytes) -> Column:
    """Reads the header of a column."""
    start = 4 + int.from_bytes(content[:4], "little")
    if len(content) < start:
        raise CellfolioError("A column of the server ends before its header does.")
    return Column(json.loads(content[4:start]), content[start:])


def grid_of(
    coordinates: npt.NDArray[np.floating[Any]],
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
    """Positions of cells on the grid of the map, and which cells have one. `coordinates`: cells × 2."""
    numpy = extra("numpy", "pandas")
    values = coordinates[:, :2].astype(numpy.float64)
    placed = numpy.isfinite(values).all(axis=1)
    grid = numpy.zeros(values.shape, dtype=numpy.uint16)
    if placed.any():
        low, high = values[placed].min(axis=0), values[placed].max(axis=0)
        step = (high - low).max() / _STEPS or 1.0
        origin = low - (_STEPS * step - (high - low)) / 2
        # JavaScript rounds halves up.
        grid[placed] = numpy.floor((values[placed] - origin) / step + 0.5)
    return grid, placed


def map_order(coordinates: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.int64]:
    """Row of the cell at each place of the map order. `coordinates`: of the default embedding, cells × 2."""
    numpy = extra("numpy", "pandas")
    grid, placed = grid_of(coordinates)
    codes = _spread(grid[:, 0]) | (_spread(grid[:, 1]) << numpy.uint64(1))
    # Cells without a position are last.
    codes[~placed] = numpy.iinfo(numpy.uint64).max
    order: npt.NDArray[np.int64] = numpy.argsort(codes, kind="stable")
    return order


def _spread(values: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint64]:
    """The bits of 16-bit numbers, each followed by a zero."""
    numpy = extra("numpy", "pandas")
    bits = values.astype(numpy.uint64)
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        bits = (bits | (bits << numpy.uint64(shift))) & numpy.uint64(mask)
    spread: npt.NDArray[np.uint64] = bits
    return spread


def area(content: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Places of cells, and their positions in steps of the grid (cells × 2), of a column of the kind `area`."""
    numpy = extra("numpy", "pandas")
    read = column(content)
    words = _joined(read.body[: 4 * read.cells])
    positions = _joined(read.body[4 * read.cells :]).view(numpy.float32)
    return numpy.cumsum(words, dtype=numpy.int64), positions.reshape(read.cells, 2)


def _joined(planes: bytes) -> npt.NDArray[np.uint32]:
    """32-bit numbers of their bytes, all least significant ones first."""
    numpy = extra("numpy", "pandas")
    rows = numpy.frombuffer(planes, dtype=numpy.uint8).reshape(4, -1)
    joined: npt.NDArray[np.uint32] = numpy.ascontiguousarray(rows.T).view("<u4").ravel()
    return joined


def encode_cells(chosen: npt.NDArray[np.bool_]) -> str:
    """A selection of cells as a text; `chosen`: of each place of the map order. At most one bit a cell."""
    numpy = extra("numpy", "pandas")
    bits = numpy.packbits(chosen, bitorder="little").tobytes()
    # Lengths of runs outside and inside in turns, which begin outside.
    edges = numpy.flatnonzero(numpy.diff(chosen.astype(numpy.int8), prepend=0))
    ends = [*edges.tolist(), *([len(chosen)] if len(chosen) > 0 and chosen[-1] else [])]
    runs = bytearray()
    before = 0
    for end in ends:
        runs += _leb128(end - before)
        before = end
        if len(runs) >= len(bits):
            break
    is_short = len(runs) < len(bits)
    encoded = bytes([0]) + bytes(runs) if is_short else bytes([1]) + bits
    return base64.urlsafe_b64encode(encoded).rstrip(b"=").decode()


def _leb128(number: int) -> bytes:
    encoded = bytearray()
    while number >= 128:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
