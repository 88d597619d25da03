"""The map of a notebook: what it is given, and the rows that its lasso selects."""

from __future__ import annotations

import numpy as np
import pytest

from cellfolio import ApiError, AsyncDataset, Dataset


def levels_of(widget: object) -> np.ndarray:
    return np.frombuffer(widget._levels, dtype="<u2")  # type: ignore[attr-defined]


def test_colors_cells_by_their_types_as_the_explorer_does(ds: Dataset) -> None:
    widget = ds.map()
    types = ds.obs["cell_type"]
    assert widget._facts["legend"] == list(types.cat.categories)
    assert np.array_equal(levels_of(widget), types.cat.codes + 1)
    places = np.frombuffer(widget._positions, dtype="<f4").reshape(-1, 2)
    assert places.shape[0] == ds.shape[0] and 0 <= places.min() and places.max() <= 1
    # One scale for both axes.
    coordinates = ds.embedding()
    ratio = np.ptp(coordinates, axis=0) / np.ptp(places, axis=0)
    assert ratio[0] == pytest.approx(ratio[1], rel=1e-4)
    categories = ds.api.get_datasets_category_displays_column(ds.id, "cell_type")["categories"]
    assert widget._facts["colors"] == [category["colour"] for category in categories]


def test_colors_cells_by_a_gene_and_by_a_number(ds: Dataset) -> None:
    expression = ds.gene("CD3E")
    widget = ds.map("CD3E", embedding="X_pca")
    assert np.array_equal(levels_of(widget) == 1, expression == 0)
    highest = levels_of(widget) == 254
    assert expression[highest].min() >= np.percentile(expression, 99)
    share = ds.map("pct_counts_mt")
    assert share._facts["legend"][0] > "" and (levels_of(share) > 0).all()
    with pytest.raises(ApiError):
        ds.map("NOT-A-GENE")


def test_the_selection_of_the_lasso_chooses_rows(ds: Dataset) -> None:
    widget = ds.map()
    assert len(widget.selected) == 0
    chosen = np.array([3, 64, ds.shape[0] - 1])
    mask = np.zeros(ds.shape[0], dtype=bool)
    mask[chosen] = True
    # As a notebook sends it.
    widget.set_state({"_bits": memoryview(np.packbits(mask, bitorder="little").tobytes())})
    assert list(widget.selected) == list(chosen)
    names = ds.obs["leiden"].index[chosen]
    assert list(ds.obs.all(cells=ds.select(widget.selected)).index) == list(names)


async def test_maps_are_made_in_asyncio_too(async_ds: AsyncDataset) -> None:
    assert (await async_ds.map("leiden"))._facts["title"].startswith("Leiden · ")
