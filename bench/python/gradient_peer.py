"""Tests genes along an axis with scipy and numpy: python gradient_peer.py FILE CELLS GENES DEGREES. FILE has the axis, the
starts of the genes (both float64), the samples, the cells (int32) and the values (float32) of compressed columns. Prints
times, correlations and p-values as JSON.
"""

import json
import sys

import numpy as np
from patsy import dmatrix
from scipy import sparse, stats

from spent import stopwatch

cells, genes, degrees = map(int, sys.argv[2:])
data = np.fromfile(sys.argv[1], np.uint8)
axis = data[: 8 * cells].view(np.float64)
data = data[8 * cells :]
starts = data[: 8 * (genes + 1)].view(np.float64).astype(np.int64)
data = data[8 * (genes + 1) :]
samples = data[: 4 * cells].view(np.int32)
data = data[4 * cells :]
places = data[: 4 * starts[-1]].view(np.int32)
values = data[4 * starts[-1] :].view(np.float32)
matrix = sparse.csc_matrix((values, places, starts), shape=(cells, genes))
columns = [matrix[:, [gene]].toarray().ravel() for gene in range(genes)]


def spearman():
    """A gene after another, as decoupler's rankby_order(stat="spearmanr") does it."""
    found = [stats.spearmanr(column, axis) for column in columns]
    return [one.statistic for one in found], [one.pvalue for one in found]


def splines():
    """F of least squares with and without the curve, over all genes at once."""
    basis = np.asarray(dmatrix("cr(x, df=degrees, constraints='center')", {"x": axis, "degrees": degrees}))
    dense = matrix.toarray().astype(float)
    _, rest, rank, _ = np.linalg.lstsq(basis, dense, rcond=None)
    total = ((dense - dense.mean(axis=0)) ** 2).sum(axis=0)
    left = cells - rank
    f = (total - rest) / degrees / (rest / left)
    return stats.f.sf(f, degrees, left)


def in_samples():
    """Stouffer's method over one-sided tests of samples, with the roots of their cells for weights."""
    members = [np.flatnonzero(samples == sample) for sample in np.unique(samples)]
    roots = np.sqrt([len(own) for own in members])
    found = []
    for column in columns:
        tests = [stats.spearmanr(column[own], axis[own]) for own in members]
        greater = [one.pvalue / 2 if one.statistic > 0 else 1 - one.pvalue / 2 for one in tests]
        less = [one.pvalue / 2 if one.statistic < 0 else 1 - one.pvalue / 2 for one in tests]
        up = stats.combine_pvalues(greater, method="stouffer", weights=roots).pvalue
        down = stats.combine_pvalues(less, method="stouffer", weights=roots).pvalue
        found.append(min(1, 2 * min(up, down)))
    return found


def timed(work):
    spent = stopwatch()
    answer = work()
    return spent(), answer


seconds, (rho, p) = timed(spearman)
of_splines, spline_p = timed(splines)
of_samples, sample_p = timed(in_samples)
print(
    json.dumps(
        {
            "spearman": seconds,
            "splines": of_splines,
            "samples": of_samples,
            "rho": list(map(float, rho)),
            "p": list(map(float, p)),
            "splineP": list(map(float, spline_p)),
            "sampleP": list(map(float, sample_p)),
        }
    )
)
