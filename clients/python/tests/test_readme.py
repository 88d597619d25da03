"""The examples of the README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cellfolio import Cellfolio, subset
from conftest import DATASET, Server

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_run_one_after_the_other(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CELLFOLIO_URL", server.url)
    monkeypatch.setenv("CELLFOLIO_API_KEY", server.key)
    monkeypatch.chdir(tmp_path)
    names = {"url": server.url, "email": server.email, "password": server.password}
    ds = Cellfolio().open(DATASET)
    ds.to_anndata(cells=subset({"patient": [ds.obs["patient"].iloc[0]]}), path="pbmc.h5ad")
    examples = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    assert len(examples) >= 4
    for example in examples:
        exec(example, names)  # noqa: S102
    assert (tmp_path / "markers.svg").read_text().startswith("<svg ")
    assert (tmp_path / "markers.csv").stat().st_size > 0
