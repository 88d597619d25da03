import { countText, type Caution } from '@cellfolio/model';
import { largestOf } from '../chosen-groups.ts';
import type { CommonSpec } from '../figure.ts';
import type { Merge } from '@cellfolio/analysis';
import type { GroupMeans } from './group-tree.ts';

/** Dots whose size is the share of expressing cells, tiles of the mean alone, violins of all values, or lines of cells. */
export type MatrixMarks = 'dots' | 'tiles' | 'violins' | 'cells';

/** The distribution of a gene in a group. */
export interface SmallViolin {
  readonly range: readonly [number, number];
  readonly median: number;
  /** Density at evenly spaced values over `range`, greatest 1; null where there is none. */
  readonly density: readonly number[] | null;
}

interface MatrixGroup {
  readonly label: string;
  readonly cells: number;
  /** Of its violins. */
  readonly colour?: string;
}

/** Rows are groups, columns genes; matrices are group-major: `mean[group * genes.length + gene]`. */
export interface GeneMatrixSpec extends CommonSpec {
  readonly version: 1;
  /** What stands for a gene in a group; dots if absent. */
  readonly marks?: MatrixMarks;
  readonly groupTitle: string;
  readonly groups: readonly MatrixGroup[];
  /** `bracket` is the group whose marker the gene is; neighbours of one bracket are drawn under one. */
  readonly genes: readonly { readonly symbol: string; readonly bracket: string | null }[];
  readonly mean: readonly number[];
  /** 0 to 1. */
  readonly fraction: readonly number[];
  /** Fraction of the largest dot: the greatest, rounded up to a tenth. 0 where no cell expresses any gene. */
  readonly dotMax: number;
  readonly meanDomain: readonly [number, number];
  /** Of each gene in each group, in the order of the means, with the axis that all of them have. */
  readonly violins?: {
    readonly domain: readonly [number, number];
    readonly unit: string;
    readonly shapes: readonly (SmallViolin | null)[];
  };
  /** Cells of each group that are lines of a heatmap. */
  readonly cells?: {
    readonly domain: readonly [number, number];
    /** Of each group. */
    readonly shown: readonly number[];
    /** Of each gene in each group, in the order of the means: base64 of a byte a cell, 0 to 255 over the domain. */
    readonly levels: readonly string[];
  };
  /** True where each gene was scaled to go from 0 to 1, over the groups or over the cells that are lines. */
  readonly isScaled?: boolean;
  /** The tree whose order the rows have; absent where they have that of the column. */
  readonly dendrogram?: {
    /** Key in obsm of what the groups are compared by; absent where it is the genes of the figure. */
    readonly embedding?: string;
    readonly dimensions: number;
    readonly merges: readonly Merge[];
  };
  /** Set where the rows are datasets and the columns cell types, of one gene. */
  readonly byDataset?: {
    /** Cells behind each dot, in the order of the means: 0 where a dataset has no such cells. */
    readonly cells: readonly number[];
  };
  /** What the means are in; absent where each gene was scaled, and of markers. */
  readonly unit?: string;
  /** What the short names of its groups stand for. */
  readonly sides?: string;
  /** How many there were, where the figure was limited. */
  readonly groupCount: number;
  readonly geneCount: number;
  readonly colours: { readonly ramp: readonly string[] };
  /** Groups of fewer cells are marked with an asterisk. */
  readonly fewCells?: number;
  /** What limits the result that is drawn, the gravest first. */
  readonly cautions?: readonly Caution[];
}

/** Means of the groups in the order of the input. */
export interface GroupLikeness extends GroupMeans {
  /** Key in obsm of what they are means of; absent where it is the genes. */
  readonly embedding?: string;
}

export interface GeneMatrixInput {
  /** Rows from top to bottom. */
  readonly groups: readonly MatrixGroup[];
  /** Columns from left to right; neighbours of one `group`, whose markers they are, stand under one bracket. */
  readonly genes: readonly { readonly symbol: string; readonly group?: string }[];
  /** Mean expression in each group, zeros included: `mean[group * genes.length + gene]`. */
  readonly mean: Float64Array;
  /** Part of the cells of each group that express the gene, 0 to 1, in the same order. */
  readonly fraction: Float64Array;
  readonly title: string;
  readonly datasetName: string;
  /** What the groups are, such as `Cell type`. */
  readonly groupTitle: string;
  readonly isScaled?: boolean;
  /** What the means are in. */
  readonly unit?: string;
  /** The violins of a gene in each group, asked for where they are drawn. */
  readonly violins?: {
    readonly unit: string;
    ofGene(gene: number): (group: number) => SmallViolin | null;
  };
  /** Lines of cells in groups, asked for where they are drawn. */
  readonly cells?: (groups: readonly number[]) => {
    readonly shown: readonly number[];
    readonly domain: readonly [number, number];
    /** A byte for each line of each of the groups. */
    levelsOf(gene: number, domain: readonly [number, number]): readonly Uint8Array[];
  };
  /** What the rows are put in the order of a dendrogram by; absent where they keep theirs. */
  readonly likeness?: GroupLikeness;
  /** What else the summary says. */
  readonly notes?: readonly string[];
  readonly byDataset?: GeneMatrixSpec['byDataset'];
  /** Ends of the colour bar instead of the figure's own. */
  readonly range?: readonly [number, number];
  /** Groups of fewer cells are marked with an asterisk, which the summary explains. */
  readonly fewCells?: number;
  /** What limits the result that is drawn; they go with the spec and are not drawn. */
  readonly cautions?: readonly Caution[];
}

/** Rows of one figure. */
export const maxGroups = 60;
/** Columns of one figure, over all its bands. */
export const maxGenes = 300;
/** Dots of one figure: 30 groups by 300 genes. */
export const maxDots = 9000;

interface GeneMatrixLimits {
  readonly groups: number;
  /** By the number of groups. */
  readonly genes: (groups: number) => number;
}

const defaultLimits: GeneMatrixLimits = {
  groups: maxGroups,
  genes: (groups) => Math.min(maxGenes, Math.floor(maxDots / Math.max(1, groups))),
};

interface PerhapsByDataset {
  readonly byDataset?: GeneMatrixSpec['byDataset'] | undefined;
}

/** What rows and columns are called. */
export function matrixNouns({ byDataset }: PerhapsByDataset): { row: string; column: string } {
  return byDataset ? { row: 'dataset', column: 'cell type' } : { row: 'group', column: 'gene' };
}

/** Symbols of genes are set in italics, names of cell types are not. */
export function columnStyle({ byDataset }: PerhapsByDataset): 'regular' | 'italic' {
  return byDataset ? 'regular' : 'italic';
}

export interface KeptRowsAndColumns {
  /** Indices of the groups and genes drawn, from top to bottom and from left to right. */
  readonly groups: readonly number[];
  readonly genes: readonly number[];
}

/**
 * Which groups and genes a figure can hold and still be read. Of too many groups the largest stay. Genes of
 * groups that went go with them; of those left the first of each bracket stay, equally many, as markers come
 * best first.
 */
export function limitGeneMatrix(
  groups: readonly { readonly label: string; readonly cells: number }[],
  genes: readonly { readonly bracket: string | null }[],
  most: GeneMatrixLimits = defaultLimits,
): KeptRowsAndColumns {
  const keptGroups = largestOf(groups.keys(), (i) => groups[i]!.cells, most.groups);
  const kept = new Set(keptGroups.map((i) => groups[i]!.label));
  const gone = new Set(groups.map((group) => group.label).filter((label) => !kept.has(label)));
  const candidates = Array.from(genes.keys()).filter((i) => {
    const { bracket } = genes[i]!;
    return bracket === null || !gone.has(bracket);
  });
  const room = most.genes(keptGroups.length);
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

/** The cells of a figure, and how many of them are lines of a heatmap where not all are. */
export function cellsText(
  groups: readonly { readonly cells: number }[],
  lines: { readonly shown: readonly number[] } | undefined,
): string {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const shown = lines?.shown.reduce((sum, count) => sum + count, 0) ?? cells;
  return shown < cells
    ? `${countText(shown)} of ${plural(cells, 'cell')}, at random from each group`
    : plural(cells, 'cell');
}

export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
