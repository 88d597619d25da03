"""Scores types of groups with decoupler: python cell_types_peer.py FILE CELLS GENES GROUPS TYPES MARKERS RUNS. FILE has the starts
of the genes (float64), the group of each cell, the cells (int32) and the values (float32) of compressed columns; type t has
the genes from t MARKERS on. Prints times, scores and adjusted p-values as JSON.
"""

import json
import sys
import warnings
from importlib.metadata import version

import anndata
import decoupler as dc
import numpy as np
import pandas as pd
import scanpy as sc
from scipy import sparse

from spent import stopwatch

warnings.filterwarnings("ignore")
cells, genes, groups, types, markers, runs = map(int, sys.argv[2:])
data = np.fromfile(sys.argv[1], np.uint8)
starts = data[: 8 * (genes + 1)].view(np.float64).astype(np.int64)
data = data[8 * (genes + 1) :]
labels = data[: 4 * cells].view(np.int32)
data = data[4 * cells :]
places = data[: 4 * starts[-1]].view(np.int32)
values = data[4 * starts[-1] :].view(np.float32)
names = [f"G{gene}" for gene in range(genes)]
held = anndata.AnnData(
    sparse.csc_matrix((values, places, starts), shape=(cells, genes)).tocsr(),
    obs=pd.DataFrame({"group": pd.Categorical.from_codes(labels, [f"g{i}" for i in range(groups)])}, index=[str(i) for i in range(cells)]),
    var=pd.DataFrame(index=names),
)
net = pd.DataFrame(
    [{"source": f"T{t}", "target": names[t * markers + at], "weight": 1.0} for t in range(types) for at in range(markers)]
)
top = int(np.ceil(0.05 * genes))
# As in fixtures/analysis/cell_types_reference.py: before 2.3 the top was counted from the other end.
n_up = genes - top if version("decoupler") < "2.3" else top
sources = [f"T{t}" for t in range(types)]


def profiles(of):
    means = sc.get.aggregate(of, by="group", func="mean").layers["mean"].astype(float)
    return pd.DataFrame(means - means.mean(axis=0), index=[f"g{i}" for i in range(groups)], columns=names)


def scored(centred):
    linear, _ = dc.mt.ulm(centred, net, tmin=2, empty=False)
    _, adjusted = dc.mt.ora(centred, net, tmin=2, empty=False, n_bg=None, n_up=n_up)
    return linear[sources].to_numpy().ravel(), adjusted[sources].to_numpy().ravel()


# What is imported and compiled once a process is not measured.
scored(profiles(held[: 20 * groups].copy()))
means, scores = [], []
for _ in range(runs):
    of_means = stopwatch()
    centred = profiles(held)
    means.append(of_means())
    of_scores = stopwatch()
    linear, adjusted = scored(centred)
    scores.append(of_scores())
print(json.dumps({"means": means, "scores": scores, "linear": linear.tolist(), "adjusted": adjusted.tolist()}))
