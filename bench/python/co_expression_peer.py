"""Finds modules with hotspotsc: python co_expression_peer.py FILE CELLS DIMENSIONS NEIGHBOURS PAIRED GENES. FILE has principal
components (float32), and counts by gene: the starts of the genes (float64), the cells (int32) and the values (float32) of
compressed columns. Prints times, Z and the number of modules as JSON. It needs the packages of
fixtures/python/hotspot-requirements.txt.
"""

import json
import os
import sys
import warnings

# Bars of progress are no part of what is printed.
os.environ["TQDM_DISABLE"] = "1"

import anndata
import hotspot
import numpy as np
import pandas as pd
from scipy.sparse import csc_matrix

from spent import stopwatch

warnings.filterwarnings("ignore")
size, dimensions, neighbours, paired, genes = map(int, sys.argv[2:])
with open(sys.argv[1], "rb") as file:
    points = np.fromfile(file, np.float32, size * dimensions).reshape(-1, dimensions)
    starts = np.fromfile(file, np.float64, genes + 1).astype(int)
    cells = np.fromfile(file, np.int32, starts[-1])
    values = np.fromfile(file, np.float32, starts[-1])
counts = csc_matrix((values.astype(float), cells, starts), shape=(size, genes))


def found(own, counts):
    """Times of the graph, of all genes, and of pairs and modules; Z; modules."""
    data = anndata.AnnData(counts.tocsr(), var=pd.DataFrame(index=[f"g{i}" for i in range(counts.shape[1])]))
    data.obs_names = [f"c{i}" for i in range(len(own))]
    data.obsm["points"] = own.astype(float)
    data.obs["total"] = np.asarray(counts.sum(axis=1)).ravel()
    of_graph = stopwatch()
    hs = hotspot.Hotspot(data, model="danb", latent_obsm_key="points", umi_counts_obs_key="total")
    # Exact, as ours.
    hs.create_knn_graph(weighted_graph=True, n_neighbors=neighbours, approx_neighbors=False)
    spent = [of_graph()]
    of_genes = stopwatch()
    results = hs.compute_autocorrelations(jobs=1)
    spent.append(of_genes())
    of_pairs = stopwatch()
    hs.compute_local_correlations(results.index[:paired].tolist(), jobs=1)
    modules = hs.create_modules(min_gene_threshold=15, core_only=True, fdr_threshold=0.05)
    spent.append(of_pairs())
    return spent, results.loc[data.var_names].Z, modules[modules > 0].nunique()


# Compiles what numba compiles once a process; it is not measured.
found(points[:400], counts[:400, : min(genes, 60)])
spent, z, modules = found(points, counts)
print(json.dumps({**dict(zip(("graph", "genes", "pairs"), spent)), "z": z.tolist(), "modules": int(modules)}))
