"""Orders cells with scanpy: python trajectory_peer.py FILE DIMENSIONS GROUPS. FILE has the principal components as float32,
cell after cell; the groups are cut along the first. Prints times and the pseudotime from cell 0 as JSON.
"""

import json
import sys
import warnings

import anndata
import numpy as np
import pandas as pd
import scanpy as sc

from spent import stopwatch

warnings.filterwarnings("ignore")
dimensions, groups = int(sys.argv[2]), int(sys.argv[3])
points = np.fromfile(sys.argv[1], np.float32).reshape(-1, dimensions)


def ordered(cells):
    """Times of the graph, and of all else."""
    data = anndata.AnnData(np.zeros((len(cells), 1), np.float32))
    data.obsm["X_pca"] = cells
    data.obs["group"] = pd.cut(cells[:, 0], groups, labels=[str(i) for i in range(groups)])
    data.uns["iroot"] = 0
    of_graph = stopwatch()
    # Exact, as ours: scanpy's own choice for many cells is approximate, and does not run with the pinned scipy.
    sc.pp.neighbors(data, n_neighbors=15, use_rep="X_pca", transformer="sklearn")
    graph = of_graph()
    of_rest = stopwatch()
    sc.tl.diffmap(data)
    sc.tl.dpt(data)
    sc.tl.paga(data, groups="group")
    return graph, of_rest(), data.obs["dpt_pseudotime"]


# Compiles what numba compiles once a process; it is not measured.
ordered(points[:500].copy())
graph, rest, pseudotime = ordered(points)
print(json.dumps({"graph": graph, "rest": rest, "pseudotime": [float(f"{t:.6g}") for t in pseudotime]}))
