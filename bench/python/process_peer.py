"""Processes a Matrix Market trio with scanpy: read, quality control, normalise, PCA, neighbours, Leiden, UMAP.

    python process_peer.py FOLDER

FOLDER holds matrix.mtx, barcodes.tsv and genes.tsv: of files that are not packed, scanpy reads these names alone.

Prints one line of JSON: seconds of the work itself by the clock and of the processor (imports and the compiling
that numba does at first use left out), and the peak memory of the process.
"""

import json
import sys
import time
import warnings

import scanpy as sc
import scipy.sparse

warnings.filterwarnings("ignore")
# This version of scanpy calls a method that scipy has removed.
if not hasattr(scipy.sparse.csr_array, "getnnz"):
    scipy.sparse.csr_array.getnnz = scipy.sparse.csr_array._getnnz


def peak_bytes():
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def run(data, mark=lambda stage: None):
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
    return data


def read():
    data = sc.read_10x_mtx(sys.argv[1])
    data.var_names_make_unique()
    return data


# Above 4,096 cells another algorithm finds neighbours, which is compiled at first use too.
run(read()[:4200].copy())

stages = {}
processor_before = time.process_time()
started = last = time.perf_counter()


def mark(stage):
    global last
    now = time.perf_counter()
    stages[stage] = now - last
    last = now


data = read()
mark("convert")
run(data, mark)
print(
    json.dumps(
        {
            "seconds": last - started,
            "processor": time.process_time() - processor_before,
            "stages": stages,
            "peak": peak_bytes(),
            "cells": data.n_obs,
            "clusters": data.obs["leiden"].nunique(),
        }
    )
)
