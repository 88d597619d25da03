"""Reads an .h5ad file, makes X gene-major and writes it as Zarr, with anndata's defaults.

    python import_peer.py FILE OUT

Prints one line of JSON: seconds of the work itself by the clock and of the processor (imports left out), and
the peak memory of the process.
"""

import json
import sys
import time
import warnings

import anndata
from spent import peak_bytes

# Hides the warning at every run that the default, Zarr version 2, will change.
warnings.filterwarnings("ignore")


path, out = sys.argv[1:]
processor_before = time.process_time()
started = time.perf_counter()
data = anndata.read_h5ad(path)
read = time.perf_counter()
data.X = data.X.tocsc()
transposed = time.perf_counter()
data.write_zarr(out)
written = time.perf_counter()
print(
    json.dumps(
        {
            "seconds": written - started,
            "processor": time.process_time() - processor_before,
            "stages": {"read": read - started, "transpose": transposed - read, "write": written - transposed},
            "peak": peak_bytes(),
            "valueCount": int(data.X.nnz),
        }
    )
)
