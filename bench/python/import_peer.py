"""Reads an .h5ad file, makes X gene-major and writes it as Zarr, with anndata's defaults.

    python import_peer.py FILE OUT

Prints one line of JSON: seconds of the work itself (imports left out) and the peak memory of the process.
"""

import json
import sys
import time

import anndata


def peak_bytes():
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


path, out = sys.argv[1:]
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
            "stages": {"read": read - started, "transpose": transposed - read, "write": written - transposed},
            "peak": peak_bytes(),
            "valueCount": int(data.X.nnz),
        }
    )
)
