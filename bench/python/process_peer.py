"""Processes raw counts with scanpy: read, quality control, normalise, PCA, neighbours, Leiden, UMAP.

    python process_peer.py FOLDER|FILE.h5ad [--out FOLDER]

FOLDER holds matrix.mtx, barcodes.tsv and genes.tsv: of files that are not packed, scanpy reads these names alone.
With --out, clusters (int32) and coordinates of the UMAP (float32) are written to clusters.i32 and umap.f32.

What numba compiles at first use is no work: the whole job is done again, at most three times, until a run takes within
10 % of the processor time of the one before, and the last run counts. Prints one line of JSON: its seconds by the clock,
those of the processor, whole and by stages, the processor seconds of all runs, the peak memory of the process, and of 500 cells
the share of the nearest neighbours that were found.
"""

import argparse
import json
import os
import sys
import time
import warnings

import numpy as np
import scanpy as sc
import scipy.sparse
from spent import peak_bytes

warnings.filterwarnings("ignore")
# This version of scanpy calls a method that scipy has removed.
if not hasattr(scipy.sparse.csr_array, "getnnz"):
    scipy.sparse.csr_array.getnnz = scipy.sparse.csr_array._getnnz

MOST_WARM_UPS = 3
AGREED = 0.1


def read(path):
    data = sc.read_10x_mtx(path) if os.path.isdir(path) else sc.read_h5ad(path)
    data.var_names_make_unique()
    return data


def run(path):
    """The result, its seconds by the clock and those of the processor for each stage."""
    stages = {}
    started = time.perf_counter()
    last = time.process_time()

    def mark(stage):
        nonlocal last
        now = time.process_time()
        stages[stage] = now - last
        last = now

    data = read(path)
    mark("read")
    data.var["mt"] = data.var_names.str.upper().str.startswith("MT-")
    sc.pp.calculate_qc_metrics(data, qc_vars=["mt"], percent_top=None, inplace=True)
    sc.pp.filter_cells(data, min_genes=1)
    mark("Quality control")
    sc.pp.normalize_total(data, target_sum=1e4)
    sc.pp.log1p(data)
    mark("Normalisation")
    sc.pp.highly_variable_genes(data, n_top_genes=min(2000, data.n_vars))
    mark("Variable genes")
    sc.pp.pca(data, n_comps=50)
    mark("Principal components")
    sc.pp.neighbors(data, n_neighbors=15)
    mark("Neighbours")
    sc.tl.leiden(data, flavor="igraph", n_iterations=2, directed=False)
    mark("Clusters")
    sc.tl.umap(data)
    mark("UMAP")
    return data, time.perf_counter() - started, stages


def recall(data, cells=500):
    """Of some cells the share of the neighbours found that are no farther than the last of as many by all distances."""
    points = data.obsm["X_pca"].astype(np.float64)
    found = data.obsp["distances"].tocsr()
    hits, asked = 0, 0
    for cell in np.random.default_rng(0).choice(len(points), min(cells, len(points)), replace=False):
        neighbours = found.indices[found.indptr[cell] : found.indptr[cell + 1]]
        distances = np.square(points - points[cell]).sum(axis=1)
        distances[cell] = np.inf
        farthest = np.partition(distances, len(neighbours) - 1)[len(neighbours) - 1]
        hits += int((distances[neighbours] <= farthest).sum())
        asked += len(neighbours)
    return hits / asked


parser = argparse.ArgumentParser()
parser.add_argument("input")
parser.add_argument("--out")
options = parser.parse_args()

processors = []
while True:
    data, seconds, stages = run(options.input)
    processors.append(sum(stages.values()))
    took = ", ".join(f"{stage} {spent:.1f}" for stage, spent in stages.items())
    print(f"    run {len(processors)}: {seconds:.1f} s; of the processor {took}", file=sys.stderr, flush=True)
    warm = len(processors) > 1 and abs(processors[-1] / processors[-2] - 1) <= AGREED
    if warm or len(processors) > MOST_WARM_UPS:
        break
    del data

peak = peak_bytes()
if options.out is not None:
    os.makedirs(options.out, exist_ok=True)
    data.obs["leiden"].astype("int32").to_numpy().tofile(os.path.join(options.out, "clusters.i32"))
    data.obsm["X_umap"].astype("float32").tofile(os.path.join(options.out, "umap.f32"))
print(
    json.dumps(
        {
            "seconds": seconds,
            "processor": processors[-1],
            "processors": processors,
            "stages": stages,
            "peak": peak,
            "cells": data.n_obs,
            "clusters": data.obs["leiden"].nunique(),
            "recall": recall(data),
        }
    )
)
