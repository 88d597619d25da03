import type { CellRowEntries, FileGraph } from '@cellfolio/model';
import { rowFault } from '@cellfolio/store';
import { H5adError } from '../h5ad-error.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout } from '../layout/matrix-layout.ts';
import type { GraphPlace } from './graph-place.ts';

/** Maximum neighbours of one cell: beyond any practical value, since work per row may grow with their square. */
const maxNearest = 1000;
/** Bytes per entry: cell and value as read and as kept, and those of the transposed matrix. */
const bytesOfEntry = 48;
/** Relative tolerance: both directions of an edge have the same sum, possibly added in another order. */
const symmetryTolerance = 1e-5;

/**
 * Reads the nearest-cell graph of a file into memory and checks all assumptions of analyses. Drops weights of 0 and the
 * distance of a cell to itself. Returns the reason, to follow a path, if the graph cannot be used.
 */
export function readFileGraph(
  file: Hdf5File,
  place: GraphPlace,
  { cellCount, maxBytes }: { cellCount: number; maxBytes: number },
): FileGraph | { fault: string } {
  try {
    const connectivities = readRows(
      file,
      place.connectivities,
      { cellCount, maxBytes },
      (weight) => weight > 0,
    );
    const distances = readRows(
      file,
      place.distances,
      { cellCount, maxBytes },
      (_, cell, other) => cell !== other,
    );
    const asymmetry = asymmetryOf(connectivities);
    if (asymmetry !== undefined) throw new GraphFault(place.connectivities, asymmetry);
    for (let cell = 0; cell < cellCount; cell++) {
      const nearest = distances.starts[cell + 1]! - distances.starts[cell]!;
      if (nearest > maxNearest)
        throw new GraphFault(
          place.distances,
          `it has ${nearest} neighbors of one cell; up to ${maxNearest} are used`,
        );
    }
    return { origin: place.origin, connectivities, distances };
  } catch (error) {
    if (error instanceof GraphFault) return { fault: error.message };
    if (error instanceof H5adError)
      return { fault: `${error.part} cannot be read: ${error.problem.replace(/\.$/, '')}` };
    throw error;
  }
}

class GraphFault extends Error {
  override readonly name = 'GraphFault';

  constructor(path: string, reason: string) {
    super(`${path} cannot be used: ${reason}`);
  }
}

function readRows(
  file: Hdf5File,
  path: string,
  { cellCount, maxBytes }: { cellCount: number; maxBytes: number },
  isKept: (value: number, cell: number, other: number) => boolean,
): CellRowEntries {
  const layout = matrixLayout(file, path);
  if (layout === undefined) throw new GraphFault(path, 'it is missing');
  if (layout.format !== 'csr') throw new GraphFault(path, `it is ${layout.format}, not a CSR matrix`);
  const { cellCount: rows, geneCount: columns, entryCount } = layout;
  if (rows !== cellCount || columns !== cellCount)
    throw new GraphFault(path, `it is ${rows} x ${columns} for ${cellCount} cells`);
  if (entryCount * bytesOfEntry > maxBytes)
    throw new GraphFault(path, `${entryCount} entries are more than the memory of an import holds`);
  const data = file.numbers(layout.data);
  const read: CellRowEntries = {
    starts: Int32Array.from(file.numbers(layout.indptr)),
    cells: Int32Array.from(file.numbers(layout.indices)),
    values: data instanceof Float32Array ? data : Float64Array.from(data),
  };
  const fault = rowFault(read, cellCount);
  if (fault !== undefined) throw new GraphFault(path, fault);
  const bad = read.values.findIndex((value) => !(value >= 0 && value < Infinity));
  if (bad >= 0) throw new GraphFault(path, `one of its values is ${read.values[bad]}`);
  // Twice transposed: a symmetric matrix would need it once, but distances are none.
  const sorted = transposed(transposed(read));
  const twice = repeatedEntry(sorted);
  if (twice !== undefined) throw new GraphFault(path, `the row of cell ${twice} names a cell twice`);
  return keptEntries(sorted, isKept);
}

/** The cells of each row are ascending in the result. */
function transposed({ starts, cells, values }: CellRowEntries): CellRowEntries {
  const size = starts.length - 1;
  const turned = new Int32Array(size + 1);
  for (let at = 0; at < cells.length; at++) turned[cells[at]! + 1]!++;
  for (let cell = 0; cell < size; cell++) turned[cell + 1]! += turned[cell]!;
  const next = turned.slice(0, size);
  const others = new Int32Array(cells.length);
  const moved = values.slice();
  for (let cell = 0; cell < size; cell++) {
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
      const to = next[cells[at]!]!++;
      others[to] = cell;
      moved[to] = values[at]!;
    }
  }
  return { starts: turned, cells: others, values: moved };
}

function repeatedEntry({ starts, cells }: CellRowEntries): number | undefined {
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    for (let at = starts[cell]! + 1; at < starts[cell + 1]!; at++)
      if (cells[at] === cells[at - 1]) return cell;
  }
  return undefined;
}

function keptEntries(
  { starts, cells, values }: CellRowEntries,
  isKept: (value: number, cell: number, other: number) => boolean,
): CellRowEntries {
  const keptStarts = new Int32Array(starts.length);
  let count = 0;
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
      if (!isKept(values[at]!, cell, cells[at]!)) continue;
      cells[count] = cells[at]!;
      values[count++] = values[at]!;
    }
    keptStarts[cell + 1] = count;
  }
  return { starts: keptStarts, cells: cells.slice(0, count), values: values.slice(0, count) };
}

/** Difference of a matrix with ascending rows from its transpose; undefined if symmetric. */
function asymmetryOf(matrix: CellRowEntries): string | undefined {
  const other = transposed(matrix);
  for (let cell = 0; cell + 1 < matrix.starts.length; cell++) {
    if (matrix.starts[cell + 1] !== other.starts[cell + 1]) return 'it is not symmetric';
  }
  for (let at = 0; at < matrix.cells.length; at++) {
    const [one, two] = [matrix.values[at]!, other.values[at]!];
    if (matrix.cells[at] !== other.cells[at] || Math.abs(one - two) > symmetryTolerance * Math.max(one, two))
      return 'it is not symmetric';
  }
  return undefined;
}
