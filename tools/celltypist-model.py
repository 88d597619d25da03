"""Converts a model of CellTypist into the JSON that Cellfolio reads, for the folder CELL_MODEL_DIR.

    pip install celltypist
    python tools/celltypist-model.py Immune_All_Low.pkl immune-all-low.json --licence "..." --species human

A .pkl runs whatever code its author put into it when it is opened: convert only files of those you trust, such as the
ones that CellTypist itself downloads, and never on the server. Any object with `classifier` (coef_, intercept_, classes_,
features) and `scaler` (mean_, scale_) is taken, as CellTypist writes them.
"""

import argparse
import json
import pickle

import numpy as np


def model_of(path):
    with open(path, "rb") as file:
        loaded = pickle.load(file)
    if isinstance(loaded, dict):
        return loaded["Model"], loaded["Scaler_"], loaded.get("description", {})
    return loaded.classifier, loaded.scaler, loaded.description or {}


def converted(classifier, scaler, about, options):
    """The content of the file: genes in the order of the model, types in that of its classes."""
    genes = [str(gene) for gene in classifier.features]
    types = [str(one) for one in classifier.classes_]
    coefficients = np.asarray(classifier.coef_, dtype=float)
    intercepts = np.atleast_1d(np.asarray(classifier.intercept_, dtype=float))
    # Of two types scikit-learn has one row, of the second; CellTypist gives the first its negative.
    if len(types) == 2 and coefficients.shape[0] == 1:
        coefficients = np.vstack([-coefficients, coefficients])
        intercepts = np.concatenate([-intercepts, intercepts])
    means = np.zeros(len(genes)) if scaler.mean_ is None else np.asarray(scaler.mean_, dtype=float)
    return {
        "format": "cellfolio-logistic-model",
        "version": 1,
        "name": options.name or str(about.get("details", options.model)),
        "source": options.source or str(about.get("url", about.get("source", ""))),
        "licence": options.licence,
        "species": options.species,
        "types": types,
        "genes": genes,
        "means": means.tolist(),
        "scales": np.asarray(scaler.scale_, dtype=float).tolist(),
        "intercepts": intercepts.tolist(),
        "coefficients": coefficients.tolist(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the .pkl of CellTypist")
    parser.add_argument("output", help="the .json to write")
    for field in ("name", "source", "licence", "species"):
        parser.add_argument(f"--{field}", default="", help="said with every result")
    options = parser.parse_args()
    content = converted(*model_of(options.model), options)
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(content, file, separators=(",", ":"), allow_nan=False)
    print(f"{options.output}: {len(content['types'])} types, {len(content['genes'])} genes")


if __name__ == "__main__":
    main()
