import {
  type BlockStatistics,
  blockStatistics,
  cellGroups,
  type CellGroups,
  clusteredOrder,
  createRandom,
  energyTest,
  type GroupRanking,
  inflation,
  isControlName,
  type LinearSums,
  type MarkerTest,
  rankGenes,
  rowCorrelations,
  SeededShuffle,
  standardisedRow,
  targetGenes,
} from '@cellfolio/analysis';
import { type CellMask, isCategorical, sharedCopy } from '@cellfolio/model';
import type { GeneRange, ThreadDataset } from '../context.ts';

/** The first of some columns of obs that has categories. */
async function firstCategories(
  { columns }: { readonly columns: readonly string[] },
  dataset: ThreadDataset,
): Promise<string | undefined> {
  for (const column of columns) if (isCategorical(await dataset.obs(column))) return column;
  return undefined;
}

interface SortInput {
  /** Columns of obs. */
  readonly column: string;
  readonly guides: string | undefined;
  readonly batch: string | undefined;
  /** Undefined: groups whose names say so. */
  readonly controls: readonly string[] | undefined;
  readonly mask: CellMask | undefined;
  readonly minCells: number;
}

/** The cells of a screen by perturbation, in shared memory. */
export interface Screen {
  /** The perturbations, and all controls as one group, the last. */
  readonly groups: CellGroups;
  readonly controlNames: readonly string[];
  /** Names of perturbations with fewer cells than the minimum. */
  readonly small: readonly { readonly name: string; readonly cells: number }[];
  readonly unlabelled: number;
  /** Rows in var of the targets of each perturbation, by its name. */
  readonly targets: readonly (readonly number[])[];
  /** The controls in parts that are each compared with the other ones. */
  readonly parts: CellGroups;
  readonly partsBy: 'guides' | 'chance';
  /** Guides of perturbations with enough cells; `codes` has the guide of each cell, their number for none. */
  readonly guides: {
    readonly codes: Uint16Array;
    readonly sizes: readonly number[];
    readonly groups: readonly number[];
  };
  readonly batches: Int32Array | undefined;
  /** Perturbed cells in batches without a control. */
  readonly apart: number;
}

export type SortedScreen =
  | Screen
  | {
      readonly refusal: 'no_controls' | 'no_perturbations';
      readonly names: readonly string[];
    };

/** Parts of the controls where no guides divide them. */
const [maxParts, minParts] = [20, 3];
/** Codes of guides are of 16 bits. */
const maxGuides = 0xffff;

async function sort(input: SortInput, dataset: ThreadDataset): Promise<SortedScreen> {
  const { codes, categories } = await dataset.categories(input.column);
  const bits = input.mask?.bits;
  const sizes = new Float64Array(categories.length);
  let unlabelled = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (bits?.[cell] === 0) continue;
    if (codes[cell]! >= 0) sizes[codes[cell]!]!++;
    else unlabelled++;
  }
  const present = [...sizes.keys()].filter((category) => sizes[category]! > 0);
  const chosen = input.controls && new Set(input.controls);
  const controls = present.filter((at) => chosen?.has(categories[at]!) ?? isControlName(categories[at]!));
  const isControl = new Set(controls);
  const controlCells = controls.reduce((sum, at) => sum + sizes[at]!, 0);
  const others = present.filter((at) => !isControl.has(at));
  if (controlCells < input.minCells)
    return { refusal: 'no_controls', names: others.slice(0, 5).map((at) => categories[at]!) };
  const tested = others.filter((at) => sizes[at]! >= input.minCells);
  if (tested.length === 0) return { refusal: 'no_perturbations', names: [] };
  const geneCount = dataset.symbols.length;
  const groupOf = new Int32Array(categories.length).fill(leftOut);
  tested.forEach((at, group) => (groupOf[at] = group));
  for (const at of controls) groupOf[at] = tested.length;
  const groups = groupsOf(
    [...tested.map((at) => categories[at]!), 'controls'],
    Int32Array.from(codes, (code, cell) => (bits?.[cell] === 0 || code < 0 ? leftOut : groupOf[code]!)),
    geneCount,
  );
  const guides = input.guides === undefined ? undefined : await dataset.categories(input.guides);
  const batches =
    input.batch === undefined ? undefined : Int32Array.from((await dataset.categories(input.batch)).codes);
  return {
    groups,
    controlNames: controls.map((at) => categories[at]!),
    small: others
      .filter((at) => sizes[at]! < input.minCells)
      .map((at) => ({ name: categories[at]!, cells: sizes[at]! })),
    unlabelled,
    targets: tested.map((at) => targetGenes(categories[at]!, (gene) => dataset.find(gene))),
    ...partsOf(
      groups,
      guides?.codes ?? (controls.length >= minParts ? codes : undefined),
      input.minCells,
      geneCount,
    ),
    guides: guidesOf(groups, guides?.codes, input.minCells),
    batches: batches && sharedCopy(batches),
    apart: batches ? cellsApart(groups, batches) : 0,
  };
}

/** Codes of cells that count nowhere, and of those without a group that are among the others of each. */
const [leftOut, ungrouped] = [-2, -1];

/** Groups in shared memory. Throws TooManyGroups. */
function groupsOf(names: readonly string[], codes: Int32Array, geneCount: number): CellGroups {
  const bits = Uint8Array.from(codes, (code) => (code === leftOut ? 0 : 1));
  const count = bits.reduce((sum, bit) => sum + bit, 0);
  const column = {
    kind: 'categorical',
    codes,
    categories: names,
    categoryType: 'string',
    ordered: false,
  } as const;
  const groups = cellGroups(column, { bits, count }, geneCount);
  return { ...groups, codes: sharedCopy(groups.codes) };
}

/**
 * Parts of the controls of at most the usual size of a perturbation, since the chance of a small p-value depends on it: of
 * each guide where at least three have enough cells, else at random.
 */
function partsOf(
  { codes, sizes, names }: CellGroups,
  guides: ArrayLike<number> | undefined,
  minCells: number,
  geneCount: number,
): Pick<Screen, 'parts' | 'partsBy'> {
  const reference = names.length - 1;
  const cells = [...codes.keys()].filter((cell) => codes[cell] === reference);
  const order = SeededShuffle.of(0, cells.length).next();
  const shuffled = Array.from(order, (place) => cells[place]!);
  const usual = Math.max(minCells, sizes.slice(0, -1).sort()[(names.length - 1) >> 1]!);
  const large = [...Map.groupBy(shuffled, (cell) => guides?.[cell] ?? -1)].flatMap(([guide, own]) =>
    guide >= 0 && own.length >= minCells && 2 * own.length <= cells.length ? [own] : [],
  );
  if (large.length >= minParts) {
    const parts = large.map((own) => own.slice(0, usual));
    return { parts: ofParts(parts, codes.length, cells, geneCount), partsBy: 'guides' };
  }
  const size = Math.max(minCells, Math.min(usual, Math.floor(cells.length / minParts)));
  const count = Math.min(maxParts, Math.floor(cells.length / size));
  const parts = Array.from({ length: count }, (_, part) => shuffled.slice(part * size, (part + 1) * size));
  return { parts: ofParts(parts, codes.length, cells, geneCount), partsBy: 'chance' };
}

/** Controls of no part are among the others of each. */
function ofParts(
  parts: readonly (readonly number[])[],
  length: number,
  cells: readonly number[],
  geneCount: number,
): CellGroups {
  const codes = new Int32Array(length).fill(leftOut);
  for (const cell of cells) codes[cell] = ungrouped;
  parts.forEach((own, part) => {
    for (const cell of own) codes[cell] = part;
  });
  const names = parts.map((_, part) => `part ${part + 1}`);
  return groupsOf(names, codes, geneCount);
}

function guidesOf(
  { codes, names }: CellGroups,
  guides: ArrayLike<number> | undefined,
  minCells: number,
): Screen['guides'] {
  const reference = names.length - 1;
  const perturbed = [...codes.keys()].filter(
    (cell) => codes[cell]! < reference && (guides?.[cell] ?? -1) >= 0,
  );
  const byGuide = Map.groupBy(perturbed, (cell) => `${codes[cell]}:${guides![cell]}`);
  const large = [...byGuide.values()].filter((cells) => cells.length >= minCells).slice(0, maxGuides);
  const own = new Uint16Array(new SharedArrayBuffer(2 * codes.length)).fill(large.length);
  large.forEach((cells, at) => {
    for (const cell of cells) own[cell] = at;
  });
  return {
    codes: own,
    sizes: large.map(({ length }) => length),
    groups: large.map(([cell]) => codes[cell!]!),
  };
}

function cellsApart({ codes, names }: CellGroups, batches: Int32Array): number {
  const reference = names.length - 1;
  const withControls = new Set<number>();
  for (let cell = 0; cell < codes.length; cell++)
    if (codes[cell] === reference) withControls.add(batches[cell]!);
  let apart = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (codes[cell]! < reference && !withControls.has(batches[cell]!)) apart++;
  }
  return apart;
}

interface TestInput extends GeneRange {
  readonly screen: Pick<Screen, 'groups' | 'parts' | 'targets'>;
  /** Statistics for all genes, in shared memory. */
  readonly all: BlockStatistics;
}

interface TestedBlock {
  readonly parts: BlockStatistics;
  readonly targets: readonly TargetSums[];
}

/** A target gene in the cells of its perturbation, and in the controls. */
export interface TargetSums {
  readonly group: number;
  readonly row: number;
  readonly perturbed: LinearSums;
  readonly controls: LinearSums;
}

/** Ranks the genes of a range in all perturbations against the controls, and in the parts of the controls. */
async function test({ from, to, screen, all }: TestInput, dataset: ThreadDataset): Promise<TestedBlock> {
  const { groups, parts, targets } = screen;
  const reference = groups.names.length - 1;
  const ofRange = targets.flatMap((rows, group) =>
    rows.flatMap((row) => (row >= from && row < to ? [{ row, group }] : [])),
  );
  return dataset.useExpression({ from, to }, (block) => {
    blockStatistics(block, groups, 'wilcoxon', reference, all);
    const sums = [...Map.groupBy(ofRange, ({ row }) => row)].flatMap(([row, own]): TargetSums[] => {
      const [start, end] = [block.starts[row - block.firstGene]!, block.starts[row - block.firstGene + 1]!];
      const linear = (group: number) =>
        linearSums(groups, group, block.cells.subarray(start, end), block.values.subarray(start, end));
      const controls = linear(reference);
      return own.map(({ group }) => ({ group, row, perturbed: linear(group), controls }));
    });
    return { parts: blockStatistics(block, parts, 'wilcoxon'), targets: sums };
  });
}

function linearSums(
  { codes, sizes }: CellGroups,
  group: number,
  cells: Int32Array,
  values: Float32Array,
): LinearSums {
  let [expressing, sum, squares] = [0, 0, 0];
  for (let i = 0; i < cells.length; i++) {
    if (codes[cells[i]!] !== group || values[i] === 0) continue;
    const value = Math.expm1(values[i]!);
    expressing++;
    sum += value;
    squares += value * value;
  }
  return { cells: sizes[group]!, expressing, sum, squares };
}

export interface Limits {
  readonly adjustedP: number;
  readonly logFoldChange: number;
}

interface RankInput {
  readonly groups: CellGroups;
  readonly all: BlockStatistics;
  readonly targets: Screen['targets'];
  readonly test: MarkerTest;
  readonly limits: Limits;
  /** Groups [from, to). */
  readonly from: number;
  readonly to: number;
}

export interface RankedPerturbation {
  readonly group: number;
  /** Changed genes without its targets. */
  readonly up: number;
  readonly down: number;
  /** Rows in var of the changed genes with the largest scores, the largest first. */
  readonly rows: Int32Array;
  /** Its target genes. */
  readonly targets: readonly { readonly row: number; readonly score: number; readonly p: number }[];
}

interface RankedRange {
  readonly perturbations: readonly RankedPerturbation[];
  /** Largest absolute score of each gene where it changes; 0 where it does not. */
  readonly largest: Float64Array;
}

const maxListed = 60;

function rank({ groups, all, targets, test: how, limits, from, to }: RankInput): RankedRange {
  const ranking = rankGenes([all], groups, how);
  const largest = new Float64Array(all.geneCount);
  const perturbations = ranking.groups.flatMap(({ group }, place): RankedPerturbation[] => {
    if (group < from || group >= to) return [];
    const ranked = ranking.rank(place);
    const isTarget = new Set(targets[group]);
    const changed = changedGenes(ranked, limits).filter((row) => !isTarget.has(row));
    for (const row of changed) largest[row] = Math.max(largest[row]!, Math.abs(ranked.scores[row]!));
    const up = changed.filter((row) => ranked.logfoldchanges[row]! > 0).length;
    const rows = Int32Array.from(
      changed
        .sort((a, b) => Math.abs(ranked.scores[b]!) - Math.abs(ranked.scores[a]!) || a - b)
        .slice(0, maxListed),
    );
    return [
      {
        group,
        up,
        down: changed.length - up,
        rows,
        targets: targets[group]!.map((row) => ({
          row,
          score: ranked.scores[row]!,
          p: ranked.pvals[row]!,
        })),
      },
    ];
  });
  return { perturbations, largest };
}

function changedGenes(
  { pvals_adj: adjusted, logfoldchanges: changes }: GroupRanking,
  limits: Limits,
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < adjusted.length; row++) {
    if (adjusted[row]! < limits.adjustedP && Math.abs(changes[row]!) >= limits.logFoldChange) rows.push(row);
  }
  return rows;
}

/** Tests of parts of the controls against the others, which have no true difference by a perturbation. */
export interface NullTests {
  readonly cells: readonly number[];
  /** Changed genes of each part. */
  readonly changed: readonly number[];
  readonly inflation: number;
  /** −log10 p by chance and as observed, at quantiles of all tests of expressed genes, rising. */
  readonly expected: readonly number[];
  readonly observed: readonly number[];
}

const quantiles = 60;

function rankParts({
  parts,
  blocks,
  test: how,
  limits,
}: {
  readonly parts: CellGroups;
  readonly blocks: readonly BlockStatistics[];
  readonly test: MarkerTest;
  readonly limits: Limits;
}): NullTests {
  const ranking = rankGenes(blocks, parts, how);
  const scores: Float64Array[] = [];
  const ps: Float64Array[] = [];
  const changed: number[] = [];
  for (const place of ranking.groups.keys()) {
    const ranked = ranking.rank(place);
    // A gene that no control expresses has no test.
    const isTested = (_: number, row: number) => ranked.pctInGroup[row]! + ranked.pctOutside[row]! > 0;
    scores.push(ranked.scores.filter(isTested));
    ps.push(ranked.pvals.filter(isTested));
    changed.push(changedGenes(ranked, limits).length);
  }
  const all = joinedNumbers(ps).sort();
  const count = all.length;
  // Evenly spaced on the logarithm, from the smallest p-value to the median.
  const places = Array.from(
    { length: count === 0 ? 0 : quantiles },
    (_, i) => Math.floor(count ** (i / (quantiles - 1))) - 1,
  );
  const shown = [...new Set(places)].toReversed();
  const minusLog = (p: number) => -Math.log10(Math.max(p, Number.MIN_VALUE));
  return {
    cells: ranking.groups.map(({ cells }) => cells),
    changed,
    inflation: inflation(joinedNumbers(scores)),
    expected: shown.map((place) => minusLog((place + 0.5) / count)),
    observed: shown.map((place) => minusLog(all[place]!)),
  };
}

function joinedNumbers(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

interface EnergyInput {
  readonly groups: CellGroups;
  readonly batches: Int32Array | undefined;
  readonly embedding: string;
  readonly permutations: number;
  readonly from: number;
  readonly to: number;
}

async function energy(input: EnergyInput, dataset: ThreadDataset) {
  const { groups, batches, from, to, permutations } = input;
  const { values, dimensions } = await dataset.embedding(input.embedding);
  const reference = groups.names.length - 1;
  const cellsOf = Array.from({ length: to - from }, (): number[] => []);
  const controls: number[] = [];
  for (let cell = 0; cell < groups.codes.length; cell++) {
    const group = groups.codes[cell]!;
    // Cells that quality control removed have no components.
    if (group > reference || Number.isNaN(values[cell * dimensions]!)) continue;
    if (group === reference) controls.push(cell);
    else if (group >= from && group < to) cellsOf[group - from]!.push(cell);
  }
  const shared = { values, dimensions, controls: Int32Array.from(controls), batches };
  return cellsOf.map((cells, at) =>
    energyTest(
      { ...shared, perturbed: Int32Array.from(cells) },
      permutations,
      createRandom(`energy ${from + at}`),
    ),
  );
}

interface ProfileInput {
  readonly groups: CellGroups;
  readonly all: BlockStatistics;
  /** Compared perturbations. */
  readonly perturbations: readonly number[];
  /** Genes that change in any, by rising row. */
  readonly rows: Int32Array;
  readonly guides: Screen['guides'];
}

export interface Profiles {
  /** Differences of mean log-normalized values from the controls: perturbations × genes. */
  readonly values: Float64Array;
  /** Correlations of the profiles, perturbations × perturbations. */
  readonly correlations: Float64Array;
  /** Places of the perturbations, similar ones side by side. */
  readonly order: readonly number[];
  /** Places of the genes, likewise. */
  readonly geneOrder: readonly number[];
  /** Mean correlation of the guides of each compared perturbation; NaN with fewer than two. */
  readonly agreement: readonly number[];
}

async function profile(input: ProfileInput, dataset: ThreadDataset): Promise<Profiles> {
  const { groups, all, perturbations, rows, guides } = input;
  const { sizes } = groups;
  const reference = groups.names.length - 1;
  const { slotCount, sums } = all;
  const columns = rows.length;
  const controlMeans = Float64Array.from(
    rows,
    (row) => sums[row * slotCount + reference]! / sizes[reference]!,
  );
  const values = new Float64Array(perturbations.length * columns);
  perturbations.forEach((group, place) => {
    rows.forEach((row, column) => {
      values[place * columns + column] =
        sums[row * slotCount + group]! / sizes[group]! - controlMeans[column]!;
    });
  });
  const count = perturbations.length;
  const correlations = rowCorrelations(
    Array.from({ length: count }, (_, place) =>
      standardisedRow(values.subarray(place * columns, (place + 1) * columns)),
    ),
  );
  const ofGenes = rowCorrelations(
    Array.from(rows, (_, column) =>
      standardisedRow(
        Float64Array.from({ length: count }, (_own, place) => values[place * columns + column]!),
      ),
    ),
  );
  return {
    values,
    correlations,
    order: clusteredOrder(correlations, count),
    geneOrder: clusteredOrder(ofGenes, columns),
    agreement: await agreementOf({ perturbations, rows, guides, controlMeans }, dataset),
  };
}

async function agreementOf(
  {
    perturbations,
    rows,
    guides,
    controlMeans,
  }: Pick<ProfileInput, 'perturbations' | 'rows' | 'guides'> & { readonly controlMeans: Float64Array },
  dataset: ThreadDataset,
): Promise<number[]> {
  const count = guides.sizes.length;
  const means = new Float64Array(count * rows.length);
  if (count > 0) {
    await dataset.useGenes(rows, (place, cells, values) => {
      for (let i = 0; i < cells.length; i++) {
        const guide = guides.codes[cells[i]!]!;
        if (guide < count) means[guide * rows.length + place]! += values[i]! / guides.sizes[guide]!;
      }
    });
  }
  const guidesOf = Map.groupBy(guides.sizes.keys(), (guide) => guides.groups[guide]!);
  return perturbations.map((group) => {
    const own = guidesOf.get(group) ?? [];
    if (own.length < 2) return NaN;
    const between = rowCorrelations(
      own.map((guide) =>
        standardisedRow(controlMeans.map((mean, i) => means[guide * rows.length + i]! - mean)),
      ),
    );
    return (between.reduce((sum, value) => sum + value, 0) - own.length) / (own.length * (own.length - 1));
  });
}

export const steps = { firstCategories, sort, test, rank, rankParts, energy, profile };
