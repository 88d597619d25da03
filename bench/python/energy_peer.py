"""Energy distances and their permutation tests by scperturb: python energy_peer.py FILE CELLS DIMENSIONS PERMUTATIONS. FILE has
the points (float32) and the perturbation of each cell (int32), 0 for the controls. Prints times and distances as JSON.
"""

import json
import sys
import warnings
from importlib.metadata import version

import anndata
import numpy as np
import pandas as pd
from scperturb import edist_to_control
from scperturb.etest import etest

from spent import stopwatch

warnings.filterwarnings("ignore")
cells, dimensions, permutations = map(int, sys.argv[2:])
with open(sys.argv[1], "rb") as file:
    points = np.fromfile(file, np.float32, cells * dimensions).reshape(cells, dimensions)
    codes = np.fromfile(file, np.int32, cells)


def held(points, codes):
    names = pd.Categorical(["control" if code == 0 else f"g{code}" for code in codes])
    data = anndata.AnnData(np.zeros((len(codes), 1), np.float32), obs=pd.DataFrame({"perturbation": names}, index=[str(i) for i in range(len(codes))]))
    data.obsm["X_pca"] = points.astype(float)
    return data


def found(data, permutations):
    of_distances = stopwatch()
    distances = edist_to_control(data, n_jobs=1, verbose=False)["distance"]
    spent = of_distances()
    of_tests = stopwatch()
    etest(data, runs=permutations, n_jobs=1, verbose=False)
    return distances, spent, of_tests()


# Imports and caches are warm before the runs that count.
found(held(points[: min(cells, 1120)], codes[: min(cells, 1120)]), 2)
distances, of_distances, of_tests = found(held(points, codes), permutations)
print(json.dumps({"distances": of_distances, "tests": of_tests, "values": [float(distances[f"g{code}"]) for code in range(1, codes.max() + 1)], "version": version("scperturb")}))
