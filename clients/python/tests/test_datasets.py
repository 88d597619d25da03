"""The list of datasets, and what is read of one."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import pytest

from cellfolio import (
    ApiError,
    Cellfolio,
    CellfolioError,
    Dataset,
    DatasetNotFound,
    MissingExtra,
    NotFound,
    subset,
)
from conftest import DATASET


@pytest.fixture(scope="module")
def whole(ds: Dataset) -> anndata.AnnData:
    return ds.to_anndata()


def test_lists_each_dataset_once_and_opens_it_by_id_and_by_name(cf: Cellfolio) -> None:
    listed = [entry for entry in cf.datasets() if not entry.is_own]
    assert len({entry.id for entry in listed}) == len(listed) == 6
    entry = next(entry for entry in listed if entry.id == DATASET)
    for name in (entry.id, entry.name):
        dataset = cf.open(name)
        assert (dataset.id, dataset.shape) == (DATASET, (entry.cells, entry.genes))


def test_says_that_there_is_no_dataset_of_a_name(cf: Cellfolio) -> None:
    with pytest.raises(DatasetNotFound, match=r"datasets\(\) lists all"):
        cf.open("../\x1b[31mred")


def test_obs_is_what_the_exported_file_has(ds: Dataset, whole: anndata.AnnData) -> None:
    pd.testing.assert_frame_equal(
        ds.obs.all(), whole.obs, check_names=False, check_index_type=False
    )
    some = ds.obs[["leiden", "total_counts"]]
    assert list(some) == ["leiden", "total_counts"]
    assert ds.obs["leiden"].equals(some["leiden"])


def test_an_own_annotation_is_a_column_whose_map_has_its_colors(cf: Cellfolio) -> None:
    dataset = cf.open(DATASET)
    made = dataset.api.post_datasets_annotations(DATASET, name="My <types>", from_="cell_type")
    try:
        values = dataset.obs.all()["My <types>"]
        assert list(values.cat.categories) == [group["name"] for group in made["groups"]]
        assert list(values.astype(str)) == list(dataset.obs["cell_type"].astype(str))
        colors = dataset.map("My <types>")._facts["colors"]
        assert colors == [group["colour"] for group in made["groups"]]
    finally:
        dataset.api.delete_annotations(made["id"])


def test_genes_are_the_columns_of_x(ds: Dataset, whole: anndata.AnnData) -> None:
    expected = whole[:, "CD3E"].X.toarray().ravel()
    values = ds.gene("CD3E")
    assert values.dtype == np.float32 and values.any()
    assert np.array_equal(values, expected)
    # More than one call takes.
    names = list(whole.var_names[:120])
    assert np.array_equal(ds.genes(names).to_numpy(), whole[:, names].X.toarray())
    with pytest.raises(ApiError) as refused:
        ds.gene("NOT-A-GENE")
    assert refused.value.code == "gene_not_found"


def test_embeddings_are_those_of_obsm(ds: Dataset, whole: anndata.AnnData) -> None:
    assert np.array_equal(ds.embedding(), whole.obsm["X_umap"])
    components = whole.obsm["X_pca"]
    assert ds.embedding("X_pca").shape == components.shape
    assert np.allclose(ds.embedding("X_pca"), components, atol=np.ptp(components) / 1e6)
    with pytest.raises(CellfolioError, match="There are: X_pca, X_umap"):
        ds.embedding("X_nothing")


def test_reads_some_cells_and_some_genes_as_anndata(ds: Dataset, whole: anndata.AnnData) -> None:
    chosen = subset({"leiden": ["0", 3]}, expressing="CD3E")
    rows = whole.obs["leiden"].isin(["0", "3"]) & (ds.gene("CD3E") > 0)
    assert 0 < rows.sum() < len(rows)
    some = ds.to_anndata(cells=chosen, genes=["CD79A", "CD3E"])
    assert list(some.obs_names) == list(whole.obs_names[rows])
    assert list(some.var_names) == ["CD79A", "CD3E"]
    assert np.array_equal(some.X.toarray(), whole[rows.to_numpy(), ["CD79A", "CD3E"]].X.toarray())
    assert np.array_equal(some.obsm["X_umap"], whole.obsm["X_umap"][rows])
    exported = ds.to_anndata(cells=chosen, counts=False)
    assert list(exported.obs_names) == list(some.obs_names) and "counts" not in exported.layers


def test_selects_cells_by_their_rows(ds: Dataset, whole: anndata.AnnData) -> None:
    random = np.random.default_rng(0)
    for share in (0.5, 0.002, 1.0):
        chosen = random.random(ds.shape[0]) < share
        selection = ds.select(chosen)
        assert list(ds.obs.all(cells=selection).index) == list(whole.obs_names[chosen])
    one = ds.select([7])
    assert list(ds.obs.all(cells=one).index) == [whole.obs_names[7]]


def test_keeps_the_file_where_it_is_told_and_replaces_none(ds: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "kept.h5ad"
    sizes: list[tuple[str, int, int]] = []
    patient = subset({"patient": [ds.obs["patient"].iloc[0]]})
    ds.to_anndata(cells=patient, path=path, progress=lambda *event: sizes.append(event))
    assert sizes[-1] == ("Downloading", path.stat().st_size, path.stat().st_size)
    assert [each.name for each in tmp_path.iterdir()] == ["kept.h5ad"]
    with pytest.raises(FileExistsError):
        ds.to_anndata(path=path)


def test_makes_every_call_that_needs_no_argument(cf: Cellfolio, ds: Dataset) -> None:
    called = []
    for name, call in inspect.getmembers(cf.api, inspect.ismethod):
        needed = [
            each
            for each in inspect.signature(call).parameters.values()
            if each.default is inspect.Parameter.empty
        ]
        if name.startswith("get_") and not needed:
            assert isinstance(call(), dict), name
            called.append(name)
        elif name.startswith("get_datasets_") and [each.name for each in needed] == [
            "dataset_filename"
        ]:
            assert isinstance(call(ds.id), (dict, bytes)), name
            called.append(name)
    assert len(called) >= 12
    with pytest.raises(NotFound):
        cf.api.get_jobs("00000000-0000-4000-8000-000000000000")


def test_writes_and_removes_what_belongs_to_the_user(cf: Cellfolio) -> None:
    made = cf.api.post_gene_lists(name="T / B cells", genes=["CD3E", "CD79A"])
    changed = cf.api.patch_gene_lists(made["id"], revision=made["revision"], genes=["CD3E"])
    assert (changed["name"], changed["genes"]) == ("T / B cells", ["CD3E"])
    assert cf.api.delete_gene_lists(made["id"])["lists"] == []


def test_names_the_package_that_is_missing(ds: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anndata", None)
    with pytest.raises(MissingExtra, match=r"needs anndata: pip install 'cellfolio\[anndata\]'"):
        ds.to_anndata()
    monkeypatch.delitem(sys.modules, "cellfolio.widget", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtra, match=r"needs anywidget: pip install 'cellfolio\[jupyter\]'"):
        ds.map()
