"""Writes dot-plot-reference.json: sizes and colours of dots as scanpy draws them.

Run with scanpy 1.11.x and matplotlib 3.x:  python dot_plot_reference.py > dot-plot-reference.json
"""

import json

import anndata
import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas as pd
import scanpy as sc
from matplotlib.colors import to_hex

rng = np.random.default_rng(11)


def case(name, fraction, mean):
    groups = [f"g{i}" for i in range(fraction.shape[0])]
    genes = [f"x{i}" for i in range(fraction.shape[1])]
    adata = anndata.AnnData(
        np.zeros((len(groups), len(genes))),
        obs=pd.DataFrame({"group": pd.Categorical(groups)}, index=[f"c{g}" for g in groups]),
        var=pd.DataFrame(index=genes),
    )
    frames = [pd.DataFrame(matrix, index=groups, columns=genes) for matrix in (fraction, mean)]
    plot = sc.pl.DotPlot(adata, genes, "group", dot_size_df=frames[0], dot_color_df=frames[1])
    plot.make_figure()
    axes = plot.get_axes()
    dots = axes["mainplot_ax"].collections[0]
    legend = axes["size_legend_ax"]
    return {
        "name": name,
        "groups": len(groups),
        "genes": len(genes),
        "fraction": fraction.ravel().tolist(),
        "mean": mean.ravel().tolist(),
        "dotMax": float(plot.dot_max),
        "areas": (dots.get_sizes() / plot.largest_dot).round(9).tolist(),
        "colours": [to_hex(colour) for colour in dots.get_facecolors()],
        "legendLabels": [label.get_text() for label in legend.get_xticklabels()],
        "legendAreas": (legend.collections[0].get_sizes() / plot.largest_dot).round(9).tolist(),
    }


def random_case(name, greatest, groups=3, genes=4):
    fraction = (rng.random((groups, genes)) * greatest).round(4)
    fraction[0, 0] = greatest
    fraction[-1, -1] = 0
    mean = (fraction * rng.random((groups, genes)) * 4).round(4)
    return case(name, fraction, mean)


cases = [random_case(f"up to {greatest}", greatest) for greatest in (1, 0.98, 0.9, 0.71, 0.6, 0.55, 0.42, 0.3, 0.21, 0.1, 0.04)]
cases.append(case("scaled, with negative means", np.array([[0.5, 0.25], [1, 0.75]]), np.array([[-1.5, 0.2], [2, 0]])))
print(json.dumps({"scanpy": sc.__version__, "matplotlib": matplotlib.__version__, "cases": cases}))
