"""Writes violin-reference.json: densities and quartiles that the violins must agree with.

Run with numpy 2.x and scipy 1.x:  python violin_reference.py > violin-reference.json
"""

import json

import numpy as np
import scipy
from scipy.stats import gaussian_kde

rng = np.random.default_rng(20)


def case(name, values):
    values = np.float32(np.round(values, 3)).astype(np.float64)
    grid = np.linspace(values.min(), values.max(), 128)
    density = gaussian_kde(values, bw_method="scott")(grid)
    return {
        "name": name,
        "nonzero": sorted(values[values != 0].round(3).tolist()),
        "zeros": int((values == 0).sum()),
        "density": (density / density.max()).round(6).tolist(),
        "quartiles": np.percentile(values, [25, 50, 75]).round(9).tolist(),
    }


half = np.concatenate([np.zeros(300), np.abs(rng.normal(2, 0.6, 200))])
cases = [
    case("bell", rng.normal(3, 0.5, 400)),
    case("half of the cells at zero", half),
    case("rare", np.concatenate([np.zeros(990), rng.uniform(0.5, 3, 10)])),
    case("two peaks", np.concatenate([rng.normal(1, 0.2, 150), rng.normal(4, 0.3, 90)])),
    case("scaled, with negative values", np.concatenate([rng.normal(0, 1, 200), np.zeros(5)])),
    case("two cells", np.array([1.0, 2.5])),
]
print(json.dumps({"numpy": np.__version__, "scipy": scipy.__version__, "cases": cases}))
