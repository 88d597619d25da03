/** A square sparse matrix of cells, row after row: cell i has the entries [starts[i], starts[i + 1]). */
export interface CellRowEntries {
  readonly starts: Int32Array;
  readonly cells: Int32Array;
  readonly values: Float32Array | Float64Array;
}

/** How the graph of a file was made, as far as the file says: texts of its author, cut. */
export interface GraphOrigin {
  readonly metric?: string;
  /** Key of obsm. */
  readonly representation?: string;
  /** Dimensions of it that were taken. */
  readonly components?: number;
}

/** The graph of nearest cells that a file brought along, as scanpy's `pp.neighbors` leaves it in obsp. */
export interface FileGraph {
  readonly origin: GraphOrigin;
  /** Symmetric weights above 0. */
  readonly connectivities: CellRowEntries;
  /** From each cell to its nearest others, at least 0; the cell itself is not among them. */
  readonly distances: CellRowEntries;
}
