"""Writes group-figures-reference.json: numbers of figures by group as scanpy, numpy and scipy have them.

Run with scanpy 1.11.x:  python group_figures_reference.py > group-figures-reference.json
"""

import json

import anndata
import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas as pd
import scanpy as sc
import scipy
from scipy import sparse, stats

rng = np.random.default_rng(5)
cells, genes = 400, 5
dense = rng.gamma(2.0, 0.7, (cells, genes)) * (rng.random((cells, genes)) < 0.35)
dense[:, 1] += 0.6 * (dense[:, 0] > 1)
matrix = dense.astype(np.float32)
codes = rng.integers(0, 4, cells)
number = rng.gamma(3.0, 400.0, cells).round(3)
names = [f"x{i}" for i in range(genes)]
adata = anndata.AnnData(
    sparse.csr_matrix(matrix),
    obs=pd.DataFrame(
        {"group": pd.Categorical.from_codes(codes, list("abcd"))}, index=[f"c{i}" for i in range(cells)]
    ),
    var=pd.DataFrame(index=names),
)
plain = sc.pl.DotPlot(adata, names, "group")
scaled = sc.pl.MatrixPlot(adata, names, "group", standard_scale="var")
wide = matrix.astype(np.float64)
json_out = {
    "scanpy": sc.__version__,
    "scipy": scipy.__version__,
    "values": [[float(v) for v in row] for row in matrix.T],
    "codes": codes.tolist(),
    "number": number.tolist(),
    "mean": plain.dot_color_df.to_numpy().astype(float).ravel().tolist(),
    "fraction": plain.dot_size_df.to_numpy().astype(float).ravel().tolist(),
    "scaled": scaled.values_df.to_numpy().astype(float).ravel().tolist(),
    "medians": [
        float(np.median(wide[codes == group, gene])) for group in range(4) for gene in range(genes)
    ],
    "edges": np.quantile(number, [0.25, 0.5, 0.75]).tolist(),
    "crosstab": pd.crosstab(codes, pd.Series(matrix[:, 0] > 0)).to_numpy().ravel().tolist(),
    "pearson": float(stats.pearsonr(wide[:, 0], wide[:, 1])[0]),
    "spearman": float(stats.spearmanr(wide[:, 0], wide[:, 1])[0]),
}
print(json.dumps(json_out))
