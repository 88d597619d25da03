"""A figure as a file."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

FigureFormat: TypeAlias = Literal["png", "png-300dpi", "svg", "pdf"]

_TYPES = {
    "png": "image/png",
    "png-300dpi": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure as a file, which notebooks show."""

    content: bytes
    format: FigureFormat

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file."""
        Path(path).write_bytes(self.content)

    def __repr__(self) -> str:
        return f"Figure({self.format}, {len(self.content):,} bytes)"

    def _repr_html_(self) -> str | None:
        if self.format == "pdf":
            return None
        # As an image: nothing in an SVG is run.
        encoded = base64.b64encode(self.content).decode()
        return f'<img style="max-width:100%" src="data:{_TYPES[self.format]};base64,{encoded}">'
