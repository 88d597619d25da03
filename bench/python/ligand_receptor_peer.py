"""LIANA's rank_aggregate on the values that ligand-receptor.ts wrote.

    python ligand_receptor_peer.py FILE CELLS GENES GROUPS PAIRS PERMUTATIONS

FILE: group of each cell (int32), starts of the genes (int32), cells and values (int32, float32), ligand and receptor of
each pair (int32). The last line of output is JSON: times, and mean and p of each interaction by `source|target|ligand|receptor`.
"""

import json
import sys
import warnings

import anndata
import liana
import numpy as np
import pandas as pd
import scipy.sparse as sp

from spent import stopwatch

warnings.filterwarnings("ignore")
path, *numbers = sys.argv[1:]
cells, genes, groups, pairs, permutations = map(int, numbers)
with open(path, "rb") as file:
    labels = np.fromfile(file, np.int32, cells)
    starts = np.fromfile(file, np.int32, genes + 1)
    rows = np.fromfile(file, np.int32, starts[-1])
    values = np.fromfile(file, np.float32, starts[-1])
    listed = np.fromfile(file, np.int32, 2 * pairs).reshape(pairs, 2)
names = [f"G{gene}" for gene in range(genes)]
data = anndata.AnnData(
    sp.csc_matrix((values, rows, starts), (cells, genes)).tocsr(),
    obs=pd.DataFrame({"group": pd.Categorical([f"g{label}" for label in labels])}, index=[str(i) for i in range(cells)]),
    var=pd.DataFrame(index=names),
)
listing = pd.DataFrame({"ligand": [names[a] for a, _ in listed], "receptor": [names[b] for _, b in listed]})


def ranked(cells, permutations):
    return liana.mt.rank_aggregate(
        cells, groupby="group", resource=listing.copy(), expr_prop=0.1, min_cells=10, n_perms=permutations,
        seed=0, use_raw=False, inplace=False, verbose=False,
    )


# What is imported and compiled once a process is not measured.
ranked(data[:600].copy(), 2)
spent = stopwatch()
result = ranked(data, permutations)
times = spent()
keys = result["source"] + "|" + result["target"] + "|" + result["ligand_complex"] + "|" + result["receptor_complex"]
print(json.dumps({
    "spent": times,
    "keys": keys.tolist(),
    "means": result["lr_means"].astype(float).tolist(),
    "p": result["cellphone_pvals"].astype(float).tolist(),
}))
