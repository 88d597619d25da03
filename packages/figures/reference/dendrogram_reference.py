"""Writes dendrogram-reference.json: trees of groups as scipy and scanpy have them.

Run with scanpy 1.11.x:  python dendrogram_reference.py > dendrogram-reference.json
"""

import json

import anndata
import numpy as np
import pandas as pd
import scanpy as sc
import scipy
from scipy.cluster.hierarchy import dendrogram, linkage
from scipy.spatial.distance import squareform

rng = np.random.default_rng(31)


def tree(z):
    return {
        "merges": [[int(a), int(b), float(height)] for a, b, height, _ in z],
        "leaves": dendrogram(z, no_plot=True)["leaves"],
    }


def linkage_case(name, square):
    condensed = squareform(square)
    return {"name": name, "condensed": condensed.tolist(), **tree(linkage(condensed, method="complete"))}


def symmetric(values):
    upper = np.triu(values, 1)
    return upper + upper.T


def scanpy_case(name, means, cells=72, missing=False):
    """Cells around the means of their groups, one row a group."""
    groups, dimensions = means.shape
    codes = np.arange(cells) % groups
    values = (means[codes] + rng.normal(0, 0.4, (cells, dimensions))).round(3)
    labels = pd.Categorical.from_codes(codes, [f"g{i}" for i in range(groups)])
    adata = anndata.AnnData(np.zeros((cells, 1)), obs=pd.DataFrame({"group": labels}, index=[f"c{i}" for i in range(cells)]))
    adata.obsm["X_pca"] = values
    if missing:
        adata.obs.loc[adata.obs.index[::7], "group"] = np.nan
    result = sc.tl.dendrogram(adata, "group", use_rep="X_pca", inplace=False)
    return {
        "name": name,
        "codes": adata.obs["group"].cat.codes.tolist(),
        "dimensions": dimensions,
        "values": values.ravel().tolist(),
        **tree(result["linkage"]),
        "order": result["categories_idx_ordered"],
    }


linkages = [
    *(linkage_case(f"{n} at random", symmetric(rng.random((n, n)).round(6))) for n in (2, 3, 5, 12, 30, 60)),
    # Whole numbers are equal exactly.
    *(linkage_case(f"{n} with many ties", symmetric(rng.integers(1, 4, (n, n)).astype(float))) for n in (3, 4, 5, 8, 13, 21, 40)),
    linkage_case("all alike", symmetric(np.ones((7, 7)))),
    linkage_case("some at no distance", symmetric(rng.integers(0, 3, (11, 11)).astype(float))),
]
cases = [
    scanpy_case("12 groups in 20 dimensions", rng.normal(0, 1, (12, 20))),
    scanpy_case("cells without a group", rng.normal(0, 1, (5, 6)), missing=True),
    scanpy_case("two groups", rng.normal(0, 1, (2, 4))),
    scanpy_case("three groups in two dimensions", rng.normal(0, 1, (3, 3))),
]
print(json.dumps({"scanpy": sc.__version__, "scipy": scipy.__version__, "linkages": linkages, "cases": cases}))
