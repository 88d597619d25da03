"""Integrates batches with harmonypy or scranpy: python integration_peer.py METHOD POINTS BATCHES COMPONENTS THREADS OUT. METHOD
is harmony or mnn; POINTS are float64, BATCHES int32; OUT gets the corrected coordinates as float64. Prints seconds,
processor seconds and peak memory as JSON. It needs the packages of fixtures/python/samples-requirements.txt.
"""

import json
import logging
import resource
import sys
import time

import harmonypy
import numpy as np
import pandas as pd
import scranpy

logging.disable(logging.CRITICAL)
method, points_path, batches_path, components, threads, out = sys.argv[1:7]
points = np.fromfile(points_path, np.float64).reshape(-1, int(components))
batches = np.fromfile(batches_path, np.int32)


def integrated(points, batches):
    if method == "mnn":
        return scranpy.correct_mnn(points.T.copy(), batches, num_threads=int(threads))["corrected"]
    meta = pd.DataFrame({"batch": batches.astype(str)})
    return harmonypy.run_harmony(points, meta, "batch", verbose=False).Z_corr


# What is loaded and compiled at the first call is not measured.
integrated(points[:2000], batches[:2000])
started, processor = time.perf_counter(), time.process_time()
found = integrated(points, batches)
seconds, processor = time.perf_counter() - started, time.process_time() - processor
corrected = np.asarray(found, dtype=np.float64)
corrected = corrected if corrected.shape == points.shape else corrected.T
np.ascontiguousarray(corrected).tofile(out)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": seconds, "processor": processor, "peak": peak}))
