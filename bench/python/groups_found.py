"""How well clusters find the groups that counts were simulated of.

    python groups_found.py FILE.h5ad OURS PEER

FILE has the groups in obs `group`; OURS and PEER are folders of process-once.ts and process_peer.py. Prints adjusted Rand
indices as JSON: `ours` and `peer` against the groups, and `both` against each other, of the cells that ours kept.
"""

import json
import sys
from pathlib import Path

import h5py
import numpy as np
from sklearn.metrics import adjusted_rand_score

path, ours, peer = (Path(arg) for arg in sys.argv[1:])
with h5py.File(path) as file:
    groups = file["obs/group/codes"][:]
kept = np.fromfile(ours / "kept.i32", "<i4")
groups = groups[kept]
of_ours = np.fromfile(ours / "clusters.i32", "<i4")
of_peer = np.fromfile(peer / "clusters.i32", "<i4")[kept]
print(
    json.dumps(
        {
            "ours": adjusted_rand_score(of_ours, groups),
            "peer": adjusted_rand_score(of_peer, groups),
            "both": adjusted_rand_score(of_ours, of_peer),
        }
    )
)
