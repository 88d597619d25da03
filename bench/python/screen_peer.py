"""Tests the guides of a screen with illico: python screen_peer.py FILE CELLS GENES GROUPS THREADS ROUNDS. FILE has the starts
of the genes (float64), the guide of each cell, the cells (int32) and the values (float32) of compressed columns; the controls
are guide 0. Prints times, peak memory of the calls and p-values as JSON.

Both tests run once with the matrix as columns and once as rows; the runs that count have the layout that was faster, which
depends on the size.
"""

import json
import os
import sys
import warnings
from importlib.metadata import version

# Bars of progress would fill the output of the bench. Read at the import.
os.environ["TQDM_DISABLE"] = "1"

import anndata
import illico
import numpy as np
import pandas as pd
from loguru import logger
from scipy import sparse

from spent import peak_bytes, stopwatch

warnings.filterwarnings("ignore")
logger.remove()
cells, genes, groups, threads, rounds = map(int, sys.argv[2:])


def held(matrix, labels, count):
    names = [f"g{group}" for group in range(count)]
    return anndata.AnnData(
        matrix,
        obs=pd.DataFrame({"guide": pd.Categorical.from_codes(labels, names)}, index=[str(i) for i in range(len(labels))]),
    )


def read():
    data = np.memmap(sys.argv[1], np.uint8, mode="r")
    starts = np.array(data[: 8 * (genes + 1)]).view(np.float64).astype(np.int64)
    data = data[8 * (genes + 1) :]
    labels = np.array(data[: 4 * cells]).view(np.int32)
    data = data[4 * cells :]
    places = np.array(data[: 4 * starts[-1]]).view(np.int32)
    values = np.array(data[4 * starts[-1] :]).view(np.float32)
    return sparse.csc_matrix((values, places, starts), shape=(cells, genes)), labels


def tested(data, reference):
    return illico.asymptotic_wilcoxon(
        data,
        is_log1p=True,
        group_keys="guide",
        reference=reference,
        n_threads=threads,
        use_continuity=False,
        tie_correct=True,
        exp_post_agg=True,
    )


def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def measured(data, reference, runs):
    """Seconds of each run, peak memory of them, and p-values of two guides."""
    reset_peak()
    spent = []
    for _ in range(runs):
        table = None
        watch = stopwatch()
        table = tested(data, reference)
        spent.append(watch())
    column = table["p_value"]
    chosen = [group for group in [1, groups // 2] if group < groups]
    pvals = [{"group": group, "values": column.loc[f"g{group}"].to_numpy().tolist()} for group in chosen]
    return {"spent": spent, "peak": peak_bytes(), "pvals": pvals, "layout": data.X.format}


# What is compiled or loaded once a process is not measured.
tests = {"rest": None, "reference": "g0"}
rng = np.random.default_rng(1)
small = sparse.random(2000, 100, 0.1, format="csc", dtype=np.float32, random_state=rng)
few = rng.integers(0, 20, 2000)
for layout in ["csc", "csr"]:
    for reference in tests.values():
        tested(held(small.asformat(layout), few, 20), reference)

matrix, labels = read()
results = {}
for layout in ["csc", "csr"]:
    matrix = matrix.asformat(layout)
    for name, reference in tests.items():
        once = measured(held(matrix, labels, groups), reference, 1)
        if name not in results or once["spent"][0][0] < results[name]["spent"][0][0]:
            results[name] = once
if rounds > 1:
    for layout in ["csr", "csc"]:
        for name in [name for name in tests if results[name]["layout"] == layout]:
            matrix = matrix.asformat(layout)
            results[name] = measured(held(matrix, labels, groups), tests[name], rounds)
print(json.dumps({"version": version("illico"), **results}))
