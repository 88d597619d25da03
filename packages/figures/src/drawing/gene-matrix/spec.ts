import { countText, type Caution, plural } from '@cellfolio/model';
import { largestOf } from '../chosen-groups.ts';
import type { CommonSpec } from '../figure.ts';
import type { Merge } from '@cellfolio/analysis';
import type { GroupMeans } from './group-tree.ts';

/** Dots sized by the share of expressing cells, tiles of the mean alone, violins of all values, or lines of cells. */
export type MatrixMarks = 'dots' | 'tiles' | 'violins' | 'cells';

export interface SmallViolin {
  range: readonly [number, number];
  median: number;
  /** Density at evenly spaced values over `range`, maximum 1; null if undefined. */
  density: readonly number[] | null;
}

interface MatrixGroup {
  label: string;
  cells: number;
  colour?: string;
}

/** Rows are groups, columns genes; matrices are group-major: `mean[group * genes.length + gene]`. */
export interface GeneMatrixSpec extends CommonSpec {
  version: 1;
  marks?: MatrixMarks;
  groupTitle: string;
  groups: readonly MatrixGroup[];
  /** `bracket` is the group that the gene is a marker of; adjacent genes of one group share a bracket. */
  genes: readonly { symbol: string; bracket: string | null }[];
  mean: readonly number[];
  /** 0 to 1. */
  fraction: readonly number[];
  /** Fraction of the largest dot: the maximum, rounded up to a tenth. 0 if no cell expresses any gene. */
  dotMax: number;
  meanDomain: readonly [number, number];
  /** One violin per gene and group, in the order of the means, with their common axis. */
  violins?: {
    domain: readonly [number, number];
    unit: string;
    shapes: readonly (SmallViolin | null)[];
  };
  cells?: {
    domain: readonly [number, number];
    shown: readonly number[];
    /** One per gene and group, in the order of the means: base64 of a byte per cell, 0 to 255 over the domain. */
    levels: readonly string[];
  };
  /** True if each gene was scaled from 0 to 1, over the groups or over the cells drawn as lines. */
  isScaled?: boolean;
  /** Dendrogram that orders the rows; absent if they keep the order of the column. */
  dendrogram?: {
    /** Key in obsm that the groups are compared by; absent if they are compared by the figure's genes. */
    embedding?: string;
    dimensions: number;
    merges: readonly Merge[];
  };
  /** Set if the rows are datasets and the columns cell types, for one gene. */
  byDataset?: {
    /** Number of cells behind each dot, in the order of the means: 0 if a dataset has no such cells. */
    cells: readonly number[];
  };
  /** Unit of the means; absent if each gene was scaled, and for markers. */
  unit?: string;
  sides?: string;
  groupCount: number;
  geneCount: number;
  colours: { ramp: readonly string[] };
  fewCells?: number;
  cautions?: readonly Caution[];
}

export interface GroupLikeness extends GroupMeans {
  /** Key in obsm of the averaged values; absent for genes. */
  embedding?: string;
}

export interface GeneMatrixInput {
  groups: readonly MatrixGroup[];
  /** Columns from left to right; adjacent markers of one `group` share a bracket. */
  genes: readonly { symbol: string; group?: string }[];
  /** Mean expression in each group, zeros included: `mean[group * genes.length + gene]`. */
  mean: Float64Array;
  /** Fraction of each group's cells that express the gene, 0 to 1, in the same order. */
  fraction: Float64Array;
  title: string;
  datasetName: string;
  groupTitle: string;
  isScaled?: boolean;
  unit?: string;
  /** Violins of a gene in each group, called only if they are drawn. */
  violins?: {
    unit: string;
    ofGene(gene: number): (group: number) => SmallViolin | null;
  };
  /** Lines of cells in groups, called only if they are drawn. */
  cells?: (groups: readonly number[]) => {
    shown: readonly number[];
    domain: readonly [number, number];
    /** One byte per line, for each of the groups. */
    levelsOf(gene: number, domain: readonly [number, number]): readonly Uint8Array[];
  };
  /** Basis of a dendrogram that reorders the rows; absent if they keep their order. */
  likeness?: GroupLikeness;
  notes?: readonly string[];
  byDataset?: GeneMatrixSpec['byDataset'];
  /** Ends of the colour bar, instead of the figure's own. */
  range?: readonly [number, number];
  fewCells?: number;
  /** Where it does not have all groups: how many there are, and which it has. */
  ofGroups?: { readonly count: number; readonly which: string };
  cautions?: readonly Caution[];
}

export const maxGroups = 60;
export const maxGenes = 300;
/** Maximum dots of one figure: 30 groups by 300 genes. */
export const maxDots = 9000;

interface GeneMatrixLimits {
  groups: number;
  genes: (groups: number) => number;
}

const defaultLimits: GeneMatrixLimits = {
  groups: maxGroups,
  genes: (groups) => Math.min(maxGenes, Math.floor(maxDots / Math.max(1, groups))),
};

interface PerhapsByDataset {
  byDataset?: GeneMatrixSpec['byDataset'] | undefined;
}

export function matrixNouns({ byDataset }: PerhapsByDataset): { row: string; column: string } {
  return byDataset ? { row: 'dataset', column: 'cell type' } : { row: 'group', column: 'gene' };
}

/** Gene symbols are in italics, names of cell types are not. */
export function columnStyle({ byDataset }: PerhapsByDataset): 'regular' | 'italic' {
  return byDataset ? 'regular' : 'italic';
}

export interface KeptRowsAndColumns {
  /** Indices of the drawn groups and genes, from top to bottom and from left to right. */
  groups: readonly number[];
  genes: readonly number[];
}

/**
 * Selects the groups and genes of a readable figure. If there are too many groups, the largest stay. Genes of dropped
 * groups go with them; of the rest, equally many of the first genes of each bracket stay, since markers are sorted best
 * first.
 */
export function limitGeneMatrix(
  groups: readonly { label: string; cells: number }[],
  genes: readonly { bracket: string | null }[],
  limits: GeneMatrixLimits = defaultLimits,
): KeptRowsAndColumns {
  const keptGroups = largestOf(groups.keys(), (i) => groups[i]!.cells, limits.groups);
  const keptLabels = new Set(keptGroups.map((i) => groups[i]!.label));
  const removed = new Set(groups.map((group) => group.label).filter((label) => !keptLabels.has(label)));
  const candidates = Array.from(genes.keys()).filter((i) => {
    const { bracket } = genes[i]!;
    return bracket === null || !removed.has(bracket);
  });
  const room = limits.genes(keptGroups.length);
  if (candidates.length <= room) return { groups: keptGroups, genes: candidates };
  // Round by round, so that every bracket has its first gene before one has a second.
  const places = new Map<string | null, number>();
  const rounds = candidates.map((gene) => {
    const { bracket } = genes[gene]!;
    const round = places.get(bracket) ?? 0;
    places.set(bracket, round + 1);
    return { gene, round };
  });
  const chosen = rounds
    .sort((a, b) => a.round - b.round || a.gene - b.gene)
    .slice(0, room)
    .map(({ gene }) => gene);
  return { groups: keptGroups, genes: chosen.sort((a, b) => a - b) };
}

export function cellsText(
  groups: readonly { cells: number }[],
  lines: { shown: readonly number[] } | undefined,
): string {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const shown = lines?.shown.reduce((sum, count) => sum + count, 0) ?? cells;
  return shown < cells
    ? `${countText(shown)} of ${plural(cells, 'cell')}, at random from each group`
    : plural(cells, 'cell');
}
