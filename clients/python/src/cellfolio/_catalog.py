"""The list of datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ._html import printable
from .errors import DatasetNotFound
from .types import CatalogueDataset, OwnFiles


@dataclass(frozen=True)
class DatasetEntry:
    """A dataset that may be opened by its id.

    state: of an own dataset, which is open when it is `ready`.
    metadata: what the catalog says of it; empty of an own dataset.
    """

    id: str
    name: str
    cells: int | None
    genes: int | None
    is_own: bool = False
    state: str = "ready"
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)


def entries(
    catalog: Mapping[str, Mapping[str, Sequence[CatalogueDataset]]], own: OwnFiles
) -> list[DatasetEntry]:
    """All datasets by name, each once: the catalog lists one under each of its diseases."""
    listed = {
        dataset["dataset_filename"]: DatasetEntry(
            dataset["dataset_filename"],
            dataset["name"],
            dataset["cell_count"],
            dataset["gene_count"],
            metadata=cast(Mapping[str, Any], dataset),
        )
        for diseases in catalog.values()
        for datasets in diseases.values()
        for dataset in datasets
    }
    made = [
        DatasetEntry(
            f"custom:{file['file_id']}",
            file["name"],
            file["dataset"]["cells"],
            file["dataset"]["genes"],
            is_own=True,
            state=file["dataset"]["state"],
        )
        for file in own["files"]
        if file["dataset"] is not None
    ]
    return sorted([*listed.values(), *made], key=lambda entry: (entry.name.lower(), entry.id))


def entry_called(name_or_id: str, listed: Sequence[DatasetEntry]) -> DatasetEntry:
    """The entry of an id, else of a name. Raises DatasetNotFound."""
    for entry in listed:
        if entry.id == name_or_id:
            return entry
    named = [entry for entry in listed if entry.name == name_or_id]
    if len(named) == 1:
        return named[0]
    shown = printable(name_or_id)
    if not named:
        raise DatasetNotFound(f"No dataset has the name or the id {shown!r}: datasets() lists all.")
    ids = ", ".join(entry.id for entry in named)
    raise DatasetNotFound(f"{len(named)} datasets are called {shown!r}. Open one by its id: {ids}")
