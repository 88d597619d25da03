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

# After all else, so that the values above stay as they were.
sample = rng.integers(0, 6, cells)
sample[sample == 5] = np.where(rng.random((sample == 5).sum()) < 0.6, 5, 0)
score = rng.normal(0.2, 1.0, cells).round(4)
counts = np.exp(rng.normal(7.5, 0.6, cells)).round()
percent = rng.gamma(2.0, 2.5, cells).round(3)


def sample_means(values):
    """Mean, cells and sample of each group and sample with ten cells, by group and then by sample."""
    frame = pd.DataFrame({"value": values, "group": codes, "sample": sample})
    table = frame.groupby(["group", "sample"])["value"].agg(["mean", "size"]).reset_index()
    return [[int(g), int(s), float(m), int(n)] for g, s, m, n in table.to_numpy() if n >= 10]


def bounds(values, log):
    """Median ± 5 MAD as sc-best-practices.org finds outliers, of log1p where it does, and the cells beyond."""
    rows = []
    for group in range(4):
        of = values[codes == group]
        placed = np.log1p(of) if log else of
        median, mad = np.median(placed), stats.median_abs_deviation(placed)
        low, high = median - 5 * mad, median + 5 * mad
        beyond = int(((placed < low) | (placed > high)).sum())
        ends = np.expm1([low, high]) if log else np.array([low, high])
        rows.append([*np.maximum(0, ends).tolist(), beyond, float(np.median(of))])
    return rows


deviations = [
    float(np.std([mean for g, _, mean, _ in sample_means(wide[:, 0]) if g == group], ddof=1))
    for group in range(4)
]
shares = pd.crosstab(sample, codes, normalize="index")
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
    "sample": sample.tolist(),
    "score": score.tolist(),
    "counts": counts.tolist(),
    "percent": percent.tolist(),
    "geneSampleMeans": sample_means(wide[:, 0]),
    "scoreSampleMeans": sample_means(score),
    "geneSampleDeviations": deviations,
    "countBounds": bounds(counts, True),
    "percentBounds": bounds(percent, False),
    "scorePearson": float(stats.pearsonr(wide[:, 0], score)[0]),
    "scoreSpearman": float(stats.spearmanr(wide[:, 0], score)[0]),
    "samplesByShare": shares[2].sort_values(ascending=False, kind="stable").index.tolist(),
}
print(json.dumps(json_out))
