"""Tests simulated cells by scanpy, sums of donors by PyDESeq2, neighbouring cells by hotspotsc, sets of ranked genes by
gseapy and pairs of ligands and receptors by LIANA's CellPhoneDB, each where it is installed: python null_rates_peer.py FOLDER NAME…. FOLDER/NAME.counts is as null_rates_peer.R has
it; with it there may be NAME.points, the components of the cells as float32. A ranking is FOLDER/NAME.json: the metric of
each gene, the genes of each set, and the seed of the permutations; pairs are that with the values of ligands and receptors in
turn and the group of each cell. Prints p-values, adjusted and not, as JSON.
"""

import json
import os
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

# Bars of progress are no part of what is printed.
os.environ["TQDM_DISABLE"] = "1"

import anndata
import numpy as np
import pandas as pd
from scipy.sparse import csc_matrix

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
neighbours, min_cells = 30, 10


def read(name):
    whole = np.fromfile(folder / f"{name}.counts", np.int32)
    genes, cells, entries, samples = whole[:4]
    starts, rows, values, codes = np.split(whole[4:], np.cumsum([genes + 1, entries, entries]))
    counts = csc_matrix((values.astype(float), rows, starts), shape=(cells, genes))
    return counts, codes, samples


def numbers(values):
    return [None if np.isnan(value) else float(value) for value in values]


def columns(table, p, adjusted):
    return {"pValues": numbers(table[p]), "adjusted": numbers(table[adjusted])}


def of_cells(counts, codes, samples):
    import scanpy

    totals = np.asarray(counts.sum(axis=1)).ravel()
    logs = counts.multiply(1e4 / totals[:, None]).log1p().tocsr().astype(np.float32)
    names = [f"g{gene}" for gene in range(counts.shape[1])]
    data = anndata.AnnData(logs, var=pd.DataFrame(index=names))
    data.obs["side"] = pd.Categorical(np.where(codes >= samples // 2, "treated", "control"))
    for name, method, ties in [("Wilcoxon", "wilcoxon", {"tie_correct": True}), ("t-test", "t-test", {})]:
        scanpy.tl.rank_genes_groups(data, "side", groups=["treated"], reference="control", method=method, **ties)
        table = scanpy.get.rank_genes_groups_df(data, "treated").set_index("names").loc[names]
        yield f"Cells, {name}", columns(table, "pvals", "pvals_adj")


def of_sums(counts, codes, samples):
    from pydeseq2.dds import DeseqDataSet
    from pydeseq2.ds import DeseqStats

    sums = np.stack([np.asarray(counts[codes == sample].sum(axis=0)).ravel() for sample in range(samples)]).astype(int)
    obs = pd.DataFrame({"side": np.where(np.arange(samples) >= samples // 2, "treated", "control")}, index=[f"s{sample}" for sample in range(samples)])
    dds = DeseqDataSet(counts=pd.DataFrame(sums, index=obs.index), metadata=obs, design="~side", quiet=True, n_cpus=1)
    dds.deseq2()
    tested = DeseqStats(dds, contrast=["side", "treated", "control"], quiet=True, n_cpus=1)
    tested.summary()
    yield "Sums, negative binomial", columns(tested.results_df, "pvalue", "padj")


def of_neighbours(counts, points):
    import hotspot

    names = [f"g{gene}" for gene in range(counts.shape[1])]
    data = anndata.AnnData(counts.tocsr(), var=pd.DataFrame(index=names))
    data.obsm["points"] = points.astype(float)
    data.obs["total"] = np.asarray(counts.sum(axis=1)).ravel()
    data = data[:, np.diff(counts.indptr) >= min_cells].copy()
    hs = hotspot.Hotspot(data, model="danb", latent_obsm_key="points", umi_counts_obs_key="total")
    hs.create_knn_graph(weighted_graph=True, n_neighbors=neighbours, approx_neighbors=False)
    found = hs.compute_autocorrelations(jobs=1)
    yield "Co-expression, Z as normal (Hotspot)", columns(found.reindex(names), "Pval", "FDR")


def of_ranking(seed, metric, sets):
    import gseapy

    ranking = pd.DataFrame({"gene": [f"g{gene}" for gene in range(len(metric))], "metric": metric})
    members = {f"set{place}": [f"g{gene}" for gene in genes] for place, genes in enumerate(sets)}
    found = gseapy.prerank(ranking, members, permutation_num=500, seed=seed, min_size=1, max_size=2000, outdir=None, threads=1)
    table = found.res2d.set_index("Term").loc[list(members)].astype({"NOM p-val": float, "FDR q-val": float})
    yield "Ranked enrichment", columns(table, "NOM p-val", "FDR q-val")


def of_pairs(seed, values, labels):
    import liana

    names = [f"{'LR'[gene % 2]}{gene // 2}" for gene in range(len(values))]
    groups = [f"t{group}" for group in range(max(labels) + 1)]
    obs = pd.DataFrame({"group": pd.Categorical([f"t{group}" for group in labels], groups)}, index=[f"c{cell}" for cell in range(len(labels))])
    data = anndata.AnnData(csc_matrix(np.array(values, np.float32).T).tocsr(), obs=obs, var=pd.DataFrame(index=names))
    pairs = pd.DataFrame({"ligand": names[::2], "receptor": names[1::2]})
    found = liana.mt.cellphonedb(data, groupby="group", resource=pairs, expr_prop=0.1, min_cells=5, use_raw=False, n_perms=1000, seed=seed, inplace=False, verbose=False)
    keys = ["ligand_complex", "receptor_complex", "source", "target"]
    rows = pd.MultiIndex.from_tuples([(*pair, a, b) for pair in pairs.itertuples(index=False) for a in groups for b in groups], names=keys)
    p = found.set_index(keys)["cellphone_pvals"].reindex(rows).to_numpy(float)
    yield "Ligands and receptors, p as it is", {"pValues": numbers(p), "adjusted": numbers(p)}


def tested(name):
    values = folder / f"{name}.json"
    if values.exists():
        given = json.loads(values.read_text())
        of, package = (of_pairs, "liana") if "labels" in given else (of_ranking, "gseapy")
        return dict(of(**given)) if find_spec(package) else {}
    counts, codes, samples = read(name)
    points = folder / f"{name}.points"
    if points.exists():
        own = np.fromfile(points, np.float32).reshape(counts.shape[0], -1)
        return dict(of_neighbours(counts, own)) if find_spec("hotspot") else {}
    of_all = (of_cells, "scanpy"), (of_sums, "pydeseq2")
    return {test: p for of, package in of_all if find_spec(package) for test, p in of(counts.tocsr(), codes, samples)}


print(json.dumps([tested(name) for name in sys.argv[2:]]))
