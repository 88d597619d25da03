import {
  beginDiffusionMap,
  type CellGraph,
  continueDiffusionMap,
  diffusionPseudotime,
  type Eigenpairs,
  type EigenState,
  explainedShare,
  graphParts,
  groupGraph,
  type GroupGraph,
  maxSamples,
  type Neighbours,
  partOfRoot,
  type RootChoice,
  rootOfPart,
  transitions,
} from '@cellfolio/analysis';
import { isCategorical, quotedHead, sharedCopy } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import type { ThreadDataset } from '../context.ts';
import type { PseudotimeRequest } from './fields.ts';
import { connectedGraph, pathStructure, type PathStructure } from './path-structure.ts';

interface RootInput {
  /** Row in obs of each cell of the graph. */
  readonly cells: Int32Array;
  readonly request: PseudotimeRequest;
  readonly neighbours: Neighbours;
}

export interface PartInput extends RootInput {
  /** Weights of the file; undefined for weights as in UMAP. */
  readonly weighted: CellGraph | undefined;
}

/** The connected part of the graph with the root; the arrays are in shared memory. */
export interface GraphPart {
  /** Indices in the graph of the cells of the part. */
  readonly places: Int32Array;
  /** The part, weighted with its transitions. */
  readonly graph: CellGraph;
  readonly parts: number;
  readonly map: EigenState;
}

export interface OrderInput extends RootInput {
  /** The part of the graph that contains the root, with its diffusion map. */
  readonly part: Pick<GraphPart, 'places' | 'parts'>;
  readonly map: Eigenpairs;
  /** As in `CellGraph`. */
  readonly sample: Float32Array;
  readonly dimensions: number;
  /** Column of obs; undefined when unknown. */
  readonly samples: string | undefined;
  /** Cells of the dataset. */
  readonly cellCount: number;
}

export interface OrderedCells {
  /**
   * Per cell of the dataset, in shared memory: from 0 to 1, Infinity when the root is not connected to it, NaN when it
   * was not analysed.
   */
  readonly pseudotime: Float64Array;
  readonly root: {
    readonly barcode: string;
    /** Empty for none. */
    readonly group: string;
    /** As in `RootedPart`. */
    readonly tipShare: number;
  };
  /** Connected parts of the graph, and cells of the part with the root. */
  readonly parts: number;
  readonly reached: number;
  readonly eigenvalues: Float64Array;
  readonly groups: readonly OrderedGroup[];
  readonly graph: GroupGraph;
  readonly unlabelled: number;
  /** The share of the variance of pseudotime explained by groups, and by samples if known. */
  readonly shares: { readonly groups: number; readonly samples?: number; readonly sampleCount?: number };
  /** From a sample of the cells; undefined when they have no coordinates that the graph is based on. */
  readonly structure: PathStructure | undefined;
  /** Widest step between two consecutive cells, and the pseudotime where it begins. */
  readonly gap: { readonly width: number; readonly after: number };
}

interface OrderedGroup {
  readonly name: string;
  readonly cells: number;
  readonly reached: number;
  /** Quartiles of pseudotime; NaN when no cell is reached. */
  readonly quartiles: readonly [number, number, number];
}

export interface Refused {
  readonly refusal: {
    readonly code: 'cell_not_found' | 'cell_not_active' | 'unknown_group' | 'too_few_cells';
    readonly message: string;
  };
}

/** Fewer cells in one connected part have no order worth computing. */
export const minCells = 30;
const maxNearest = 100;
/** Time slice of one task, so that figures of other users are drawn in between. */
const sliceMilliseconds = 50;

async function part(input: PartInput, dataset: ThreadDataset): Promise<GraphPart | Refused> {
  const { choice } = await rootedCells(input, dataset);
  if ('refusal' in choice) return choice;
  const { neighbours, weighted } = input;
  const { graph, parts } = weighted
    ? { graph: weighted, parts: graphParts(weighted) }
    : connectedGraph(neighbours);
  const ofRoot = partOfRoot(graph, parts, choice, minCells);
  if (!ofRoot) return tooFew(parts.sizes);
  const transitionGraph = transitions(ofRoot.graph);
  return {
    places: sharedCopy(ofRoot.cells),
    graph: {
      cellCount: transitionGraph.cellCount,
      starts: sharedCopy(transitionGraph.starts),
      neighbours: sharedCopy(transitionGraph.neighbours),
      weights: sharedCopy(transitionGraph.weights),
    },
    parts: parts.sizes.length,
    map: beginDiffusionMap(transitionGraph),
  };
}

function diffuse({ graph, map }: { readonly graph: CellGraph; readonly map: EigenState }): EigenState {
  return continueDiffusionMap(graph, map, sliceMilliseconds);
}

async function order(input: OrderInput, dataset: ThreadDataset): Promise<OrderedCells | Refused> {
  const { cells, neighbours, request, sample, dimensions } = input;
  const { codes, categories, barcodeOf, choice } = await rootedCells(input, dataset);
  if ('refusal' in choice) return choice;
  const ofRoot = rootOfPart(input.map, input.part.places, choice);
  const ofPart = diffusionPseudotime(ofRoot.map, ofRoot.place, request.n_dcs);
  const times = new Float64Array(cells.length).fill(Infinity);
  ofRoot.cells.forEach((place, at) => (times[place] = ofPart[at]!));
  const groups = presentGroups(codes, categories);
  const pseudotime = new Float64Array(new SharedArrayBuffer(8 * input.cellCount)).fill(NaN);
  cells.forEach((cell, place) => (pseudotime[cell] = times[place]!));
  return {
    pseudotime,
    root: {
      barcode: barcodeOf(ofRoot.root),
      group: categories[codes[ofRoot.root]!] ?? '',
      tipShare: ofRoot.tipShare,
    },
    parts: input.part.parts,
    reached: ofRoot.cells.length,
    eigenvalues: input.map.values,
    groups: groups.names.map((name, group) => orderedGroup(name, group, groups.codes, times)),
    graph: groupGraph(neighbours, groups.codes, groups.names.length),
    unlabelled: codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0),
    shares: {
      groups: explainedShare(times, groups.codes, groups.names.length),
      ...(await sampleShare(input, dataset, times)),
    },
    structure:
      sample.length === 0 ? undefined : pathStructure(sample, dimensions, Math.min(neighbours.k, maxNearest)),
    gap: widestGap(ofPart),
  };
}

async function rootedCells({ cells, request }: RootInput, dataset: ThreadDataset) {
  const { codes: all, categories } = await dataset.categories(request.groupby);
  const barcodes = await dataset.barcodes();
  const barcodeOf = (place: number) => barcodes(cells[place]!);
  const codes = Int32Array.from(cells, (cell) => all[cell]!);
  return { codes, categories, barcodeOf, choice: chosenRoot(request, { codes, categories, barcodeOf }) };
}

function chosenRoot(
  { root, groupby }: Pick<PseudotimeRequest, 'root' | 'groupby'>,
  context: {
    readonly codes: Int32Array;
    readonly categories: readonly string[];
    barcodeOf(place: number): string;
  },
): RootChoice | Refused {
  const { codes, categories, barcodeOf } = context;
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
    const message = `The column ${quotedHead(columnTitle(groupby), 80)} has no group ${quotedHead(root.group, 80)}. Choose one of its groups as the root.`;
    return { refusal: { code: 'unknown_group', message } };
  }
  if (!codes.includes(code)) {
    const message = `No active cell with principal components is in the group ${quotedHead(root.group, 80)}. Choose another root, or a subset that has its cells.`;
    return { refusal: { code: 'cell_not_active', message } };
  }
  return { by: 'group', isInside: (place) => codes[place] === code };
}

function tooFew(sizes: Int32Array): Refused {
  const [largest = 0] = sizes;
  const message = `Fewer than ${minCells} cells are connected to the root, too few to order: the graph of nearest cells has ${sizes.length} parts, the largest with ${largest} cells. Choose another root, a larger subset, or more neighbors.`;
  return { refusal: { code: 'too_few_cells', message } };
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
  { cells, samples }: OrderInput,
  dataset: ThreadDataset,
  times: Float64Array,
): Promise<{ samples?: number; sampleCount?: number }> {
  const column = samples === undefined ? undefined : await dataset.obs(samples);
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

export const pseudotimeSteps = { part, diffuse, order };
