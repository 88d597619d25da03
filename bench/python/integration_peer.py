"""Integrates batches with harmonypy: python integration_peer.py POINTS BATCHES COMPONENTS OUT. POINTS are float64, BATCHES
int32; OUT gets the corrected coordinates as float64. Prints seconds, processor seconds, iterations and peak memory as
JSON. It needs the packages of fixtures/python/samples-requirements.txt.
"""

import json
import logging
import resource
import sys
import time

import harmonypy
import numpy as np
import pandas as pd

logging.disable(logging.CRITICAL)
points_path, batches_path, components, out = sys.argv[1:5]
points = np.fromfile(points_path, np.float64).reshape(-1, int(components))
batches = np.fromfile(batches_path, np.int32)


def integrated(points, batches):
    return harmonypy.run_harmony(points, pd.DataFrame({"batch": batches.astype(str)}), "batch", verbose=False)


# What is loaded and compiled at the first call is not measured.
integrated(points[:2000], batches[:2000])
started, processor = time.perf_counter(), time.process_time()
found = integrated(points, batches)
seconds, processor = time.perf_counter() - started, time.process_time() - processor
corrected = np.asarray(found.Z_corr, dtype=np.float64)
corrected = corrected if corrected.shape == points.shape else corrected.T
np.ascontiguousarray(corrected).tofile(out)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
iterations = len(found.objective_harmony) - 1
print(json.dumps({"seconds": seconds, "processor": processor, "iterations": iterations, "peak": peak}))
