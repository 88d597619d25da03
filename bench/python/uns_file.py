"""Writes two .h5ad files of the same cells: with 200 MB in `uns` and `obsp`, and without.

    python uns_file.py WITH WITHOUT
"""

import sys

import anndata as ad
import numpy as np
import pandas as pd
import scipy.sparse as sp

CELLS, GENES, NEIGHBORS = 50_000, 2_000, 150

rng = np.random.default_rng(0)
x = sp.random(CELLS, GENES, 0.05, "csr", np.float32, random_state=1)
x.data = np.log1p(rng.integers(1, 20, x.nnz)).astype(np.float32)
adata = ad.AnnData(x, pd.DataFrame(index=[f"cell-{at}" for at in range(CELLS)]), pd.DataFrame(index=[f"gene-{at}" for at in range(GENES)]))
adata.obs["cell_type"] = pd.Categorical(rng.choice(["T", "B", "NK"], CELLS))
adata.obsm["X_umap"] = rng.normal(size=(CELLS, 2)).astype(np.float32)
adata.write_h5ad(sys.argv[2])
columns = np.sort(rng.integers(0, CELLS, (CELLS, NEIGHBORS), np.int32), axis=1).ravel()
starts = np.arange(0, CELLS * NEIGHBORS + 1, NEIGHBORS, dtype=np.int32)
adata.obsp["affinities"] = sp.csr_matrix((rng.random(CELLS * NEIGHBORS), columns, starts), (CELLS, CELLS))
adata.uns["spatial"] = {"slide": {"images": {"hires": rng.random((3000, 3000, 3)).astype(np.float32)}}}
adata.write_h5ad(sys.argv[1])
