import type { CellRowEntries, FileGraph, GraphOrigin } from '@cellfolio/model';
import { numbers, type PlannedNode } from './encode-column.ts';
import type { ZarrReader } from './zarr-reader.ts';
import type { Attributes } from './zarr-metadata.ts';

const parts = ['connectivities', 'distances'] as const;
const originAttribute = 'cellfolio-origin';

/** Nodes of the neighbour graph from a file, where scanpy looks for its own: CSR matrices in obsp. */
export function fileGraphNodes(graph: FileGraph): PlannedNode[] {
  return parts.flatMap((part) => matrixNodes(part, graph));
}

function matrixNodes(part: (typeof parts)[number], graph: FileGraph): PlannedNode[] {
  const path = `obsp/${part}`;
  const { starts, cells, values } = graph[part];
  const size = starts.length - 1;
  const attributes: Attributes = {
    'encoding-type': 'csr_matrix',
    'encoding-version': '0.1.0',
    shape: [size, size],
    ...(part === 'connectivities' && { [originAttribute]: { ...graph.origin } }),
  };
  return [
    { kind: 'group', path, attributes },
    numbers(`${path}/data`, values instanceof Float64Array ? 'float64' : 'float32', values),
    numbers(`${path}/indices`, 'int32', cells),
    numbers(`${path}/indptr`, 'int32', starts),
  ];
}

export interface FileGraphHead {
  origin: GraphOrigin;
  edges: number;
  /** Entries of the connectivities: two per pair of cells. */
  weights: number;
}

export function fileGraphHead(nodes: ZarrReader): FileGraphHead | undefined {
  if (!parts.every((part) => nodes.has(`obsp/${part}`))) return undefined;
  return {
    origin: (nodes.attributes('obsp/connectivities')[originAttribute] ?? {}) as GraphOrigin,
    edges: nodes.array('obsp/distances/indices').shape[0] ?? 0,
    weights: nodes.array('obsp/connectivities/indices').shape[0] ?? 0,
  };
}

/** Throws DatasetDamaged. */
export async function readFileGraph(
  nodes: ZarrReader,
  { origin }: FileGraphHead,
  cellCount: number,
  signal?: AbortSignal,
): Promise<FileGraph> {
  const connectivities = await readMatrix(nodes, 'obsp/connectivities', cellCount, signal);
  return { origin, connectivities, distances: await readMatrix(nodes, 'obsp/distances', cellCount, signal) };
}

async function readMatrix(
  nodes: ZarrReader,
  path: string,
  cellCount: number,
  signal?: AbortSignal,
): Promise<CellRowEntries> {
  const read = async (name: string) => (await nodes.numbers(`${path}/${name}`, signal)).values;
  const [starts, cells, values] = [await read('indptr'), await read('indices'), await read('data')];
  if (!(starts instanceof Int32Array && cells instanceof Int32Array))
    throw nodes.damaged(path, 'its cells are not 32-bit integers');
  if (!(values instanceof Float32Array || values instanceof Float64Array))
    throw nodes.damaged(path, 'it does not hold floating-point numbers');
  const entries = { starts, cells, values };
  const fault = rowFault(entries, cellCount);
  if (fault !== undefined) throw nodes.damaged(path, fault);
  return entries;
}

/** Reason why entries do not form a square matrix of this many cells; undefined if they do. */
export function rowFault({ starts, cells, values }: CellRowEntries, cellCount: number): string | undefined {
  if (starts.length !== cellCount + 1) return `it has ${starts.length - 1} rows for ${cellCount} cells`;
  if (starts[0] !== 0 || starts[cellCount] !== cells.length || cells.length !== values.length)
    return 'its rows do not hold all of its entries';
  for (let cell = 0; cell < cellCount; cell++) {
    if (starts[cell + 1]! < starts[cell]!) return `its row ${cell} ends before it begins`;
  }
  for (let at = 0; at < cells.length; at++) {
    if (!(cells[at]! >= 0 && cells[at]! < cellCount)) return `it names the cell ${cells[at]} of ${cellCount}`;
  }
  return undefined;
}
