import {
  diffusionPseudotime,
  type Eigenpairs,
  explainedShare,
  groupGraph,
  type GroupGraph,
  maxSamples,
  type Neighbours,
  rootOfPart,
} from '@cellfolio/analysis';
import { isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { taskKind } from '../../runtime/compute/task.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import type { OrderRefusal } from './chosen-root.ts';
import { type GraphPart, rootedCells, type RootTask } from './part-tasks.ts';
import { pathStructure, type PathStructure } from './path-structure.ts';

export interface OrderTask extends RootTask<OrderedCells | { refusal: OrderRefusal }> {
  kind: 'trajectory-order';
  isLong: true;
  /** The part of the graph that contains the root, with its diffusion map. */
  part: Pick<GraphPart, 'places' | 'parts'>;
  map: Eigenpairs;
  /** Concatenated coordinates of some of the cells. */
  sample: Float32Array;
  dimensions: number;
  neighbours: Neighbours;
  /** Column of obs; undefined when unknown. */
  samples: string | undefined;
}

export interface OrderedCells {
  /**
   * Per cell of the dataset, in shared memory: from 0 to 1, Infinity when the root is not connected to it, NaN when it
   * was not analysed.
   */
  pseudotime: Float64Array;
  root: {
    barcode: string;
    /** Empty for none. */
    group: string;
    /** As in `RootedPart`. */
    tipShare: number;
  };
  /** Connected parts of the graph, and cells of the part with the root. */
  parts: number;
  reached: number;
  eigenvalues: Float64Array;
  groups: readonly OrderedGroup[];
  graph: GroupGraph;
  unlabelled: number;
  /** The share of the variance of pseudotime explained by groups, and by samples if known. */
  shares: { groups: number; samples?: number; sampleCount?: number };
  /** From a sample of the cells; undefined when they have no coordinates that the graph is based on. */
  structure: PathStructure | undefined;
  /** Widest step between two consecutive cells, and the pseudotime where it begins. */
  gap: { width: number; after: number };
  /** CSV lines: barcode, group and pseudotime of each analysed cell. */
  rows: string;
}

interface OrderedGroup {
  name: string;
  cells: number;
  reached: number;
  /** Quartiles of pseudotime; NaN when no cell is reached. */
  quartiles: readonly [number, number, number];
}

const maxNearest = 100;

async function orderCells(
  task: OrderTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<OrderedCells | { refusal: OrderRefusal }> {
  const { cells, neighbours, parameters } = task;
  const { codes, categories, barcodeOf, choice } = await rootedCells(task, dataset, signal);
  if ('refusal' in choice) return choice;
  const part = rootOfPart(task.map, task.part.places, choice);
  const ofPart = diffusionPseudotime(part.map, part.place, parameters.n_dcs);
  const times = new Float64Array(cells.length).fill(Infinity);
  part.cells.forEach((place, at) => (times[place] = ofPart[at]!));
  const groups = presentGroups(codes, categories);
  const { cellCount } = dataset.manifest;
  const pseudotime = new Float64Array(new SharedArrayBuffer(8 * cellCount)).fill(NaN);
  cells.forEach((cell, place) => (pseudotime[cell] = times[place]!));
  const samples = await sampleShare(task, dataset, { times, signal });
  return {
    pseudotime,
    root: {
      barcode: barcodeOf(part.root),
      group: categories[codes[part.root]!] ?? '',
      tipShare: part.tipShare,
    },
    parts: task.part.parts,
    reached: part.cells.length,
    eigenvalues: task.map.values,
    groups: groups.names.map((name, group) => orderedGroup(name, group, groups.codes, times)),
    graph: groupGraph(neighbours, groups.codes, groups.names.length),
    unlabelled: codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0),
    shares: { groups: explainedShare(times, groups.codes, groups.names.length), ...samples },
    structure:
      task.sample.length === 0
        ? undefined
        : pathStructure(task.sample, task.dimensions, Math.min(neighbours.k, maxNearest)),
    gap: widestGap(ofPart),
    rows: cellRows(times, (place) => [barcodeOf(place), categories[codes[place]!] ?? '']),
  };
}

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
