"""Every analysis, its result, its progress and its end before time."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import Any

import pytest

from cellfolio import ApiError, AsyncDataset, Cellfolio, CellfolioError, Dataset, Result, subset
from cellfolio._async.analyses import AsyncAnalyses

GROUPS = subset({"leiden": ["0", "1", "2"]})
UNTREATED = {"name": "Untreated", "filter": subset({"treatment": ["Untreated"]})}
EXAMPLES: dict[str, dict[str, Any]] = {
    "cell_types": {"groupby": "leiden"},
    "co_expression": {"max_genes": 100},
    "comparison": {"a": UNTREATED},
    "composition": {"a": UNTREATED},
    "deciles": {"by": {"of": "gene", "gene": "EPCAM"}},
    "gradient": {"axis": {"of": "column", "column": "pct_counts_mt"}, "cells": GROUPS},
    "ligand_receptor": {"groupby": "cell_type", "permutations": 100},
    "markers": {"groupby": "leiden"},
    "pathway": {
        "pathway_genes": ["CD3D", "CD3E", "CD2", "LCK"],
        "background": {"kind": "expressed"},
    },
    "perturbations": {"groupby": "treatment", "controls": ["Untreated"], "permutations": 99},
    "ranked_enrichment": {
        "ranking": {
            "source": "own",
            "genes": ["CD3D", "CD3E", "LCK", "EPCAM"],
            "values": [3, 2, 1, -1],
        },
        "min_size": 1,
        "permutations": 20,
    },
    "trajectory": {"groupby": "cell_type", "cells": GROUPS},
}


def test_there_is_an_example_of_every_analysis() -> None:
    methods = inspect.getmembers(AsyncAnalyses, inspect.isfunction)
    assert sorted(name for name, _ in methods if not name.startswith("_")) == sorted(EXAMPLES)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_runs_and_has_its_table_facts_and_figure(ds: Dataset, name: str) -> None:
    events: list[tuple[str, int, int]] = []
    result: Result[Any] = getattr(ds, name)(
        **EXAMPLES[name], progress=lambda *event: events.append(event)
    )
    # Its work is a single step.
    assert events or name == "pathway"
    assert all(done <= total for _, done, total in events)
    assert len(result.table) > 0
    assert result.facts and all({"code", "title", "message"} <= set(fact) for fact in result.facts)
    head = [line for line in result.csv().splitlines() if line.startswith("# ")]
    assert any("Definition" in line for line in head)
    if result.answer["source"] is not None:
        svg, png = result.figure(), result.figure("png", width_mm=90)
        assert svg.content.startswith(b"<svg ") and png.content.startswith(b"\x89PNG")


def test_names_of_groups_stay_texts(ds: Dataset) -> None:
    table = ds.markers(groupby="leiden", cells=GROUPS).table
    assert set(table["group"]) == {"0", "1", "2"}
    assert table["pvals"].dtype == float


def test_has_the_numbers_of_each_cell(ds: Dataset) -> None:
    cells = ds.trajectory(groupby="cell_type", cells=GROUPS).cells
    assert cells.index.is_unique and cells.index.isin(ds.obs["leiden"].index).all()
    with pytest.raises(CellfolioError, match="no numbers of cells"):
        _ = ds.markers(groupby="leiden", cells=GROUPS).cells


def test_shows_cautions_first_and_escapes_names_of_the_data(cf: Cellfolio, ds: Dataset) -> None:
    hostile = "=<img src=x onerror=alert(1)>"
    made = cf.api.post_datasets_annotations(ds.id, name="<b>types</b>", from_="cell_type")
    try:
        group = made["groups"][0]["name"]
        cf.api.post_annotations_changes(
            made["id"],
            revision=made["revision"],
            change={"change": "rename", "group": group, "name": hostile},
        )
        result = ds.markers(groupby="<b>types</b>", pvals_adj=1)
        assert hostile in set(result.table["group"])
        html = result._repr_html_()
        assert "<img" not in html and "<b>types" not in html and "&lt;img" in html
        assert html.index("<li>") < html.index("<table")
        shown = repr(result).splitlines()
        assert shown[1].startswith("Caution: ") and shown[-1].endswith("columns]")
    finally:
        cf.api.delete_annotations(made["id"])


def test_a_wrong_field_is_named(ds: Dataset) -> None:
    with pytest.raises(ApiError) as refused:
        ds.markers(groupby="leiden", n_genes=0)
    assert (refused.value.status, refused.value.code) == (400, "invalid_request")
    assert refused.value.field == "n_genes" and "at least one gene" in refused.value.message


def test_an_exception_in_progress_cancels_the_call(ds: Dataset) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ds.ligand_receptor(groupby="leiden", permutations=10_000, progress=stop)
    assert time.monotonic() - began < 10
    assert len(ds.markers(groupby="leiden", cells=GROUPS).table) > 0


async def test_a_task_can_be_cancelled(async_ds: AsyncDataset) -> None:
    begun = asyncio.Event()
    work = async_ds.ligand_receptor(
        groupby="leiden", permutations=10_000, progress=lambda *_: begun.set()
    )
    task = asyncio.create_task(work)
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_calls_run_side_by_side(async_ds: AsyncDataset) -> None:
    markers, composition, gene, leiden = await asyncio.gather(
        async_ds.markers(groupby="leiden", cells=GROUPS),
        async_ds.composition(**EXAMPLES["composition"]),
        async_ds.gene("CD3E"),
        async_ds.obs["leiden"],
    )
    assert len(markers.table) > 0 and len(composition.table) > 0
    assert len(gene) == len(leiden) == async_ds.shape[0]
    assert (await markers.figure("png")).content.startswith(b"\x89PNG")


async def test_the_synchronous_client_works_within_an_event_loop(ds: Dataset) -> None:
    assert len(ds.obs["leiden"]) == ds.shape[0]
