"""The analyses of scanpy, illico and gseapy in a warm process, each with the layout of the data it likes best.

    python analysis_peer.py FILE

Answers each line of JSON on its input with a line that says how many seconds the call itself took.
  {"do": "scanpy", "method": "wilcoxon" | "t-test"}   rank_genes_groups by cell_type, Wilcoxon with tie_correct=True, X as CSR as read_h5ad gives it
  {"do": "scanpy-pair", "method": ..., "group": ..., "reference": ...}   one cell type against another, by the same
  {"do": "illico"}                                    asymptotic_wilcoxon by cell_type, two threads, X as CSR (faster for it than CSC)
  {"do": "score", "genes": [...]}                     score_genes, X as CSR
  {"do": "percentile", "gene": ...}                   cells of a gene between two percentiles, X as CSC
  {"do": "plot", "plot": "dotplot" | ..., "genes": [...]}  a function of scanpy.pl by leiden, saved as a PNG; X as CSR
  {"do": "enrich", "genes": [...], "gmt": path}       gseapy.enrich against the genes of the file
  {"do": "prerank", "genes": [...], "values": [...], "gmt": path, "permutations": n, "threads": n}  gseapy.prerank
"""

import io
import json
import sys
import time
import warnings

import anndata
import gseapy
import illico
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scanpy as sc

warnings.filterwarnings("ignore")
matplotlib.use("Agg")
data = anndata.read_h5ad(sys.argv[1])
data.uns["log1p"] = {"base": None}
by_gene = anndata.AnnData(data.X.tocsc(), obs=data.obs, var=data.var)
libraries = {}


def scanpy(method):
    sc.tl.rank_genes_groups(data, "cell_type", method=method, tie_correct=method == "wilcoxon")


def scanpy_pair(method, group, reference):
    sc.tl.rank_genes_groups(
        data,
        "cell_type",
        groups=[group],
        reference=reference,
        method=method,
        tie_correct=method == "wilcoxon",
        pts=True,
    )


def rank_by_illico():
    illico.asymptotic_wilcoxon(
        data, is_log1p=True, group_keys="cell_type", n_threads=2, use_continuity=False, tie_correct=True
    )


def score(genes):
    sc.tl.score_genes(data, genes)


def percentile(gene):
    values = np.asarray(by_gene[:, gene].X.todense()).ravel()
    low, high = np.percentile(values, [10, 90])
    mask = (values >= low) & (values <= high)
    data.obs.loc[mask, "cell_type"].value_counts()


def plot(kind, genes):
    getattr(sc.pl, kind)(data, genes, groupby="leiden", show=False)
    plt.savefig(io.BytesIO(), format="png", dpi=150)
    plt.close("all")


def library(gmt):
    if gmt not in libraries:
        with open(gmt) as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        libraries[gmt] = {row[0]: row[2:] for row in rows}
    return libraries[gmt]


def enrich(genes, gmt):
    sets = library(gmt)
    started = time.perf_counter()
    gseapy.enrich(gene_list=genes, gene_sets=sets, background=list(data.var_names), outdir=None)
    return time.perf_counter() - started


def prerank(genes, values, gmt, permutations, threads):
    sets = library(gmt)
    ranking = pd.DataFrame({"gene": genes, "value": values})
    started = time.perf_counter()
    gseapy.prerank(
        ranking, sets, permutation_num=permutations, threads=threads, seed=123, outdir=None, no_plot=True
    )
    return time.perf_counter() - started


calls = {
    "scanpy": lambda request: scanpy(request["method"]),
    "scanpy-pair": lambda request: scanpy_pair(request["method"], request["group"], request["reference"]),
    "illico": lambda request: rank_by_illico(),
    "score": lambda request: score(request["genes"]),
    "percentile": lambda request: percentile(request["gene"]),
    "plot": lambda request: plot(request["plot"], request["genes"]),
    "enrich": lambda request: enrich(request["genes"], request["gmt"]),
    "prerank": lambda request: prerank(**{name: value for name, value in request.items() if name != "do"}),
}


def answer(**fields):
    print(json.dumps(fields), flush=True)


answer(ready=True)
for line in sys.stdin:
    request = json.loads(line)
    started = time.perf_counter()
    own = calls[request["do"]](request)
    answer(seconds=own if own is not None else time.perf_counter() - started)
