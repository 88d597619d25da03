"""Writes embedding-density-reference.json: densities of cells on an embedding as scanpy and scipy have them.

Run with scanpy 1.11.x:  python embedding_density_reference.py > embedding-density-reference.json
"""

import json
from importlib.metadata import version

import anndata
import numpy as np
import pandas as pd
import scanpy as sc
from scipy.stats import gaussian_kde

rng = np.random.default_rng(8)


def scanpy_case(name, parts):
    """The cells of several categories, scaled each by itself by sc.tl.embedding_density."""
    xy = np.concatenate(parts).round(6)
    codes = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    labels = pd.Categorical.from_codes(codes, [f"g{i}" for i in range(len(parts))])
    adata = anndata.AnnData(np.zeros((len(xy), 1)), obs=pd.DataFrame({"group": labels}, index=[f"c{i}" for i in range(len(xy))]))
    adata.obsm["X_umap"] = xy
    sc.tl.embedding_density(adata, basis="umap", groupby="group")
    density = adata.obs["umap_density_group"].to_numpy()
    return {"name": name, "xy": xy.ravel().tolist(), "codes": codes.tolist(), "density": density.tolist()}


def large(cells):
    """Three curved clouds and a few cells far out, by a formula that the tests follow; of many cells every 101st is kept."""
    i = np.arange(cells, dtype=np.float64)
    a = (i * 0.6180339887498949) % 1
    b = (i * 0.7548776662466927) % 1
    cloud = np.arange(cells) % 3
    radius = np.sqrt(-2 * np.log(1 - a))
    x = 4 * cloud + radius * np.cos(2 * np.pi * b)
    y = (cloud - 1) ** 2 * 5 + radius * np.sin(2 * np.pi * b) * (0.3 + 0.5 * cloud) + 0.4 * x
    far = np.arange(cells) % 5003 == 17
    x[far] *= 12
    y[far] -= 40
    xy = np.vstack([x, y])
    kde = gaussian_kde(xy)
    values = np.concatenate([kde(part) for part in np.array_split(xy, 40, axis=1)])
    scaled = (values - values.min()) / (values.max() - values.min())
    return {"cells": cells, "every": 101, "density": scaled[::101].tolist()}


def normal(cells, shear=0.0, scale=1.0):
    xy = rng.normal(0, 1, (cells, 2)) * [scale, 1]
    xy[:, 1] += shear * xy[:, 0]
    return xy


cases = [
    scanpy_case("four cells and ten", [normal(4), normal(10) + 5]),
    scanpy_case("bells of other sizes", [normal(150), normal(90, 0.8, 2) - [6, 1], normal(30, scale=0.1)]),
    scanpy_case("nearly on a line", [normal(120, 1.0) * [1, 1] + rng.normal(0, 1e-3, (120, 2))]),
    scanpy_case("islands", [np.concatenate([normal(60), normal(60) * 0.1 + [40, -3], normal(5) + [-70, 90]])]),
    scanpy_case("far from the origin", [normal(80) * 1e-3 + [5e3, -2e4]]),
    scanpy_case("one cell far out", [np.concatenate([normal(199), [[500.0, 900.0]]])]),
    scanpy_case("many at one place", [np.concatenate([np.zeros((40, 2)), normal(60)])]),
    scanpy_case("even", [rng.random((200, 2))]),
]
versions = {name: version(name) for name in ("scanpy", "scipy", "numpy")}
print(json.dumps({**versions, "cases": cases, "large": large(30_000)}))
