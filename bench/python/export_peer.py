"""Reads a stored dataset, which is AnnData-Zarr, and writes it as .h5ad with anndata's defaults.

    python export_peer.py DATASET OUT

Prints one line of JSON: seconds of reading and of writing by the clock and of the processor (imports left out), the peak
memory of the process, and the length of the file.
"""

import json
import os
import sys
import time
import warnings

import anndata
from spent import peak_bytes

warnings.filterwarnings("ignore")


path, out = sys.argv[1:]
started = time.perf_counter()
before_reading = time.process_time()
data = anndata.read_zarr(path)
read = time.perf_counter()
before_writing = time.process_time()
data.write_h5ad(out)
written = time.perf_counter()
processor = time.process_time() - before_writing
print(
    json.dumps(
        {
            "read": read - started,
            "write": written - read,
            "processor": processor,
            "processorWithRead": before_writing - before_reading + processor,
            "peak": peak_bytes(),
            "bytes": os.path.getsize(out),
        }
    )
)
