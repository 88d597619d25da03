import {
  diffusionPseudotime,
  explainedShare,
  groupGraph,
  type GroupGraph,
  type Neighbours,
  rootedPart,
  type RootChoice,
} from '@cellfolio/analysis';
import type { TrajectoryParameters } from '@cellfolio/analysis/parameters';
import { isCategorical, quotedHead, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { maxSamples } from '../../runtime/sample-column.ts';
import { csvLine } from '../../runtime/tables/csv.ts';
import { connectedGraph, pathStructure, type PathStructure } from './path-structure.ts';
import { quotedColumn } from '../../runtime/quoted-column.ts';

/** Orders the cells of a graph from a root, and says how its groups hang together. */
export interface OrderTask extends Task<OrderedCells | { readonly refusal: OrderRefusal }> {
  readonly kind: 'trajectory-order';
  readonly isLong: true;
  readonly dataset: DatasetRef;
  /** Coordinates of some of the cells, one after another. */
  readonly sample: Float32Array;
  readonly dimensions: number;
  readonly cells: Int32Array;
  readonly neighbours: Neighbours;
  readonly parameters: TrajectoryParameters;
  /** Column of obs; undefined where none is known. */
  readonly samples: string | undefined;
}

export interface OrderRefusal {
  readonly code: 'cell_not_found' | 'cell_not_active' | 'unknown_group' | 'too_few_cells';
  readonly message: string;
}

export interface OrderedCells {
  /** Of every cell of the dataset, in shared memory: from 0 to 1, Infinity where the root is not connected to it, NaN where it was not analysed. */
  readonly pseudotime: Float64Array;
  readonly root: {
    readonly barcode: string;
    /** Empty for none. */
    readonly group: string;
    /** As `RootedPart` has it. */
    readonly tipShare: number;
  };
  /** Connected parts of the graph, and cells of that with the root. */
  readonly parts: number;
  readonly reached: number;
  readonly eigenvalues: Float64Array;
  /** Groups that have cells. */
  readonly groups: readonly OrderedGroup[];
  readonly graph: GroupGraph;
  /** Cells without a group. */
  readonly unlabelled: number;
  /** The share of the variance of pseudotime that groups explain, and samples where they are known. */
  readonly shares: { readonly groups: number; readonly samples?: number; readonly sampleCount?: number };
  /** Of some of the cells. */
  readonly structure: PathStructure;
  /** Widest step between two cells that follow each other, and the pseudotime where it begins. */
  readonly gap: { readonly width: number; readonly after: number };
  /** Lines of CSV: barcode, group and pseudotime of each cell that was analysed. */
  readonly rows: string;
}

interface OrderedGroup {
  readonly name: string;
  readonly cells: number;
  readonly reached: number;
  /** Quartiles of pseudotime; NaN where no cell is reached. */
  readonly quartiles: readonly [number, number, number];
}

/** Fewer cells in one connected part have no order worth computing. */
export const minCells = 30;
async function orderCells(
  task: OrderTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<OrderedCells | { readonly refusal: OrderRefusal }> {
  const { cells, neighbours, parameters } = task;
  const column = await categoricalColumn(dataset, parameters.groupby, signal);
  const { names } = await dataset.cellRows(
    { from: 0, to: dataset.manifest.cellCount },
    { columns: [], embeddings: [] },
    signal,
  );
  const barcodeOf = (place: number) => stringAt(names, cells[place]!);
  const codes = Int32Array.from(cells, (cell) => column.codes[cell]!);
  const choice = chosenRoot(task, { codes, categories: column.categories, barcodeOf });
  if ('refusal' in choice) return choice;
  const { graph, parts } = connectedGraph(neighbours);
  const part = rootedPart(graph, parts, choice, minCells);
  if (!part) return tooFew(parts.sizes);
  const ofPart = diffusionPseudotime(part.map, part.place, parameters.n_dcs);
  const times = new Float64Array(cells.length).fill(Infinity);
  part.cells.forEach((place, at) => (times[place] = ofPart[at]!));
  const found = presentGroups(codes, column.categories);
  const pseudotime = new Float64Array(new SharedArrayBuffer(8 * column.codes.length)).fill(NaN);
  cells.forEach((cell, place) => (pseudotime[cell] = times[place]!));
  const samples = await sampleShare(task, dataset, { times, signal });
  return {
    pseudotime,
    root: {
      barcode: barcodeOf(part.root),
      group: column.categories[codes[part.root]!] ?? '',
      tipShare: part.tipShare,
    },
    parts: parts.sizes.length,
    reached: part.cells.length,
    eigenvalues: part.map.values,
    groups: found.names.map((name, group) => orderedGroup(name, group, found.codes, times)),
    graph: groupGraph(neighbours, found.codes, found.names.length),
    unlabelled: codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0),
    shares: { groups: explainedShare(times, found.codes, found.names.length), ...samples },
    structure: pathStructure(task.sample, task.dimensions, neighbours.k),
    gap: widestGap(ofPart),
    rows: cellRows(times, (place) => [barcodeOf(place), column.categories[codes[place]!] ?? '']),
  };
}

function chosenRoot(
  { parameters: { root, groupby } }: OrderTask,
  known: {
    readonly codes: Int32Array;
    readonly categories: readonly string[];
    readonly barcodeOf: (place: number) => string;
  },
): RootChoice | { readonly refusal: OrderRefusal } {
  const { codes, categories, barcodeOf } = known;
  if (root.by === 'suggestion') return root;
  if (root.by === 'cell') {
    const barcode = root.barcode.trim();
    const cell = codes.findIndex((_, place) => barcodeOf(place) === barcode);
    if (cell >= 0) return { by: 'cell', cell };
    const message = `No active cell with principal components has the barcode ${quotedHead(barcode, 80)}. The table of cells of an earlier result, or a click on a cell of the live map, shows barcodes, such as ${quotedHead(barcodeOf(0), 80)}.`;
    return { refusal: { code: 'cell_not_found', message } };
  }
  const code = categories.indexOf(root.group);
  if (code < 0) {
    const message = `The column ${quotedColumn(groupby)} has no group ${quotedHead(root.group, 80)}. Choose one of its groups as the root.`;
    return { refusal: { code: 'unknown_group', message } };
  }
  if (!codes.includes(code)) {
    const message = `No active cell with principal components is in the group ${quotedHead(root.group, 80)}. Choose another root, or a subset that has its cells.`;
    return { refusal: { code: 'cell_not_active', message } };
  }
  return { by: 'group', isInside: (place) => codes[place] === code };
}

function tooFew(sizes: Int32Array): { readonly refusal: OrderRefusal } {
  const [largest = 0] = sizes;
  const message = `The cells that are connected with the root are fewer than ${minCells}, which have no order worth computing: the graph of nearest cells has ${sizes.length} parts, the largest with ${largest} cells. Choose another root, a larger subset, or more neighbors.`;
  return { refusal: { code: 'too_few_cells', message } };
}

/** Codes of the groups that have cells, in their order. */
function presentGroups(codes: Int32Array, categories: readonly string[]) {
  const used = new Set(codes);
  const present = [...categories.keys()].filter((code) => used.has(code));
  const placeOf = new Map(present.map((code, place) => [code, place]));
  return {
    names: present.map((code) => categories[code]!),
    codes: codes.map((code) => placeOf.get(code) ?? -1),
  };
}

function orderedGroup(name: string, group: number, codes: Int32Array, times: Float64Array): OrderedGroup {
  const own = times.filter((_, place) => codes[place] === group);
  const reached = own.filter((time) => time !== Infinity).sort();
  const at = (share: number) => reached[Math.round(share * (reached.length - 1))] ?? NaN;
  return { name, cells: own.length, reached: reached.length, quartiles: [at(0.25), at(0.5), at(0.75)] };
}

async function sampleShare(
  { cells, samples }: OrderTask,
  dataset: Dataset,
  { times, signal }: { times: Float64Array; signal: AbortSignal },
): Promise<{ samples?: number; sampleCount?: number }> {
  const column = samples === undefined ? undefined : await dataset.obs(samples, signal);
  if (!column || !isCategorical(column) || column.categories.length > maxSamples) return {};
  const codes = Int32Array.from(cells, (cell) => column.codes[cell]!);
  const present = new Set(codes.filter((_, place) => times[place] !== Infinity));
  present.delete(-1);
  return { samples: explainedShare(times, codes, column.categories.length), sampleCount: present.size };
}

function widestGap(times: Float64Array): OrderedCells['gap'] {
  const rising = times.slice().sort();
  let gap = { width: 0, after: 0 };
  for (let at = 1; at < rising.length; at++) {
    const width = rising[at]! - rising[at - 1]!;
    if (width > gap.width) gap = { width, after: rising[at - 1]! };
  }
  return gap;
}

function cellRows(times: Float64Array, names: (place: number) => [string, string]): string {
  const lines: string[] = [];
  times.forEach((time, place) => lines.push(csvLine([...names(place), time])));
  return lines.join('');
}

export const orderTasks = [
  taskKind<OrderTask>('trajectory-order', (task, { dataset, signal }) => orderCells(task, dataset, signal)),
];
