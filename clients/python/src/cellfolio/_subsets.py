"""Filters that choose cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .types import SubsetFilterInput


def subset(
    columns: Mapping[str, Iterable[object]] | None = None,
    *,
    expressing: str | None = None,
    name: str = "Subset",
) -> SubsetFilterInput:
    """A filter of cells by categories of columns of obs; `columns` are joined by AND, their values by OR.

    expressing: a gene that the cells express, too.
    name: what results call the subset.

    `docs/api.md` lists what else a filter can have: add it to the dictionary.
    """
    chosen: SubsetFilterInput = {"subset_group_name": name}
    if columns is not None:
        chosen["patient_metadata_filter"] = True
        chosen["patient_metadata"] = {
            column: [str(value) for value in values] for column, values in columns.items()
        }
    if expressing is not None:
        chosen["gene_filter"] = True
        chosen["gene"] = {"name": expressing, "presence": "positive"}
    return chosen
