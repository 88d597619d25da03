import { keptStrings } from '../additions.ts';
import { geneFeatures, type GeneFeatures } from '../features/gene-features.ts';
import type { DatasetFile } from '../dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { areCounts, areDamagedCounts, type ValueStatistics } from '../transpose/value-statistics.ts';
import { maxLogarithm, sampleMatrix, type MatrixSample } from './sample-matrix.ts';
import {
  scaleTests,
  wholeSteps,
  type NormalisedScale,
  type ScaleTest,
  type WholeSteps,
} from './scale-tests.ts';
import type { ExpressionScale } from '@cellfolio/model';

export interface Candidate {
  layout: MatrixLayout;
  statistics: ValueStatistics;
  evidence: ScaleEvidence;
  content: Content;
  varPath: string;
  /** Path of the first table with the same genes in the same order: matrices with equal paths have the same genes. */
  genesPath: string;
  features?: GeneFeatures | undefined;
}

type RecordedScale = ReturnType<DatasetFile['recordedScale']>;

const logarithms: readonly NormalisedScale[] = ['log1p', 'log2', 'log10', 'linear'];

type Sampled = Omit<Candidate, 'evidence' | 'content' | 'statistics'> & { sample: MatrixSample };

/** All matrices that may hold expression, best first. */
export function candidates(file: DatasetFile): Candidate[] {
  const featuresOf = new Map<string, GeneFeatures | undefined>();
  const places = file.matrices();
  for (const { varPath } of places)
    if (!featuresOf.has(varPath)) featuresOf.set(varPath, geneFeatures(file, varPath));
  const genesPaths = sameGenes(file, featuresOf);
  const sampled = places.map(({ layout: plain, varPath }): Sampled => {
    const varFeatures = featuresOf.get(varPath);
    const genesPath = genesPaths.get(varPath)!;
    // A length other than that of the matrix is reported when both are read.
    const features = varFeatures?.dropped.length === plain.geneCount ? varFeatures : undefined;
    const layout = features === undefined ? plain : { ...plain, dropped: features.dropped };
    return { layout, sample: sampleMatrix(file.hdf5, layout), varPath, genesPath, features };
  });
  const record = file.recordedScale();
  return sampled.map((one) => {
    const { layout, sample, varPath, genesPath, features } = one;
    const { statistics } = sample;
    const evidence = evidenceOf(one, sampled, layout.path.startsWith('layers/') ? undefined : record);
    const content = contentOf(statistics, evidence);
    return { layout, varPath, genesPath, features, statistics, evidence, content };
  });
}

/** For each gene table, the first one with the same names in the same order and the same kept rows. */
function sameGenes(
  file: DatasetFile,
  features: ReadonlyMap<string, GeneFeatures | undefined>,
): Map<string, string> {
  const representatives = new Map<string, string>();
  const distinct: { path: string; names: Buffer }[] = [];
  for (const [path, filtered] of features) {
    const names = features.size > 1 ? keptNames(file, path, filtered) : undefined;
    const same = names && distinct.find((other) => other.names.equals(names));
    representatives.set(path, same?.path ?? path);
    if (names && !same) distinct.push({ path, names });
  }
  return representatives;
}

/** Undefined for an unreadable table, which is reported when it is read as a whole. */
function keptNames(
  file: DatasetFile,
  varPath: string,
  features: GeneFeatures | undefined,
): Buffer | undefined {
  try {
    const { index } = file.table(varPath, 'var').table;
    const { offsets, bytes } = features === undefined ? index : keptStrings(index, features.geneRows);
    return Buffer.concat([Buffer.from(offsets.buffer, offsets.byteOffset, offsets.byteLength), bytes]);
  } catch (error) {
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

function evidenceOf(
  { layout, sample, genesPath }: Sampled,
  all: readonly Sampled[],
  record: RecordedScale,
): ScaleEvidence {
  const { statistics, cells, allGenes } = sample;
  if (areCounts(statistics)) return wholeEvidence(sample);
  if (statistics.fractional === 0 || statistics.negative > 0) return { tests: [] };
  const noLogarithms = statistics.maximum > maxLogarithm || areMostlyWhole(statistics);
  const scales = noLogarithms ? (['linear'] as const) : logarithms;
  const counts = all.find(
    (other) =>
      areCounts(other.sample.statistics) &&
      other.genesPath === genesPath &&
      other.layout.cellCount === layout.cellCount,
  );
  const tests = scaleTests(sample, scales, counts?.sample);
  const ownUnits = !areMostlyWhole(statistics) && !haveOneUnit(cells);
  return judgeScale(tests, { cells: cells.size, allGenes, ownUnits, record });
}

/**
 * Integers whose cell totals differ by at most this are questioned, if there are enough cells with that many counts.
 */
const equalTotal = 0.01;
const minEqualCells = 10;
const minEqualTotal = 100;

/** Evidence whether integers are counts: cells that were normalised and then rounded have equal totals, or steps. */
function wholeEvidence(sample: MatrixSample): ScaleEvidence {
  const tests = scaleTests(sample, ['linear']);
  const steps = wholeSteps(sample);
  const { spread, total } = tests[0]!;
  const isOneTotal =
    sample.allGenes &&
    sample.cells.size >= minEqualCells &&
    total >= minEqualTotal &&
    spread <= equalTotal &&
    // Where one gene has nearly all counts of every cell, their total is that of this gene.
    steps.largestSpread > equalTotal;
  const haveSteps = steps.even >= maxMultiples && !haveOneUnit(sample.cells);
  return { tests, whole: { steps, looksRounded: isOneTotal || haveSteps } };
}

/** Normalised values are integers by chance, logarithms never. */
function areMostlyWhole({ entries, fractional }: ValueStatistics): boolean {
  return fractional < entries / 2;
}

/**
 * Whether most cells have the same smallest value. Normalised values are multiples of a unit specific to each cell;
 * counts are multiples of 1, or of a half if a read was shared between two genes.
 */
function haveOneUnit(cells: MatrixSample['cells']): boolean {
  const cellsOf = new Map<number, number>();
  for (const { 0: smallest } of cells.values())
    if (smallest !== undefined) cellsOf.set(smallest, (cellsOf.get(smallest) ?? 0) + 1);
  return Math.max(0, ...cellsOf.values()) > cells.size / 2;
}

/**
 * Apparent content of values. `log-normalised`: natural logarithm; `linear`: normalised without logarithm; `undecided`:
 * one of these, or fractional counts (corrected for ambient RNA, or expected counts), without evidence for either, or
 * integers that could be rounded normalised values or downsampled counts; `damaged-counts`: integers except for some
 * impossible values.
 */
export type Content =
  | 'counts'
  | 'damaged-counts'
  | 'log-normalised'
  | 'log2'
  | 'log10'
  | 'linear'
  | 'scaled'
  | 'undecided'
  | 'empty';

export function contentOf(statistics: ValueStatistics, { judged, whole }: ScaleEvidence): Content {
  if (statistics.entries === 0) return 'empty';
  if (areCounts(statistics)) return whole?.looksRounded === true ? 'undecided' : 'counts';
  if (areDamagedCounts(statistics)) return 'damaged-counts';
  if (statistics.negative > 0) return 'scaled';
  if (judged === undefined) return 'undecided';
  // Larger values than the sample had.
  if (statistics.maximum > maxLogarithm && judged.scale !== 'linear') return 'undecided';
  return judged.scale === 'log1p' ? 'log-normalised' : judged.scale;
}

interface ScaleEvidence {
  /** Only `linear` if the values cannot be logarithms. */
  tests: readonly ScaleTest[];
  whole?: { steps: WholeSteps; looksRounded: boolean };
  /** Record in `uns/log1p`, if it refers to this matrix. */
  record?: RecordedScale;
  judged?: { scale: NormalisedScale; basis: ExpressionScale['basis'] };
}

/** Minimum share of integer multiples for counts, nearly all of which are; of anything else hardly any. */
const maxMultiples = 0.9;
/** Totals that differ by less are considered equal, if other scales spread them by this many times more. */
const oneTotal = 0.05;
const fewCellsOneTotal = 0.001;
const timesFarther = 4;
const manyCells = 20;
/** Spread of equal totals due to float32 rounding. */
const rounding = 1e-6;

/**
 * Scale supported by the tests, in order: raw counts of the same cells, integer multiples within cells, equal totals of
 * the cells, then the record of `pp.log1p` unless it contradicts the others. Without cell-specific units (`ownUnits`)
 * multiples are no evidence for linear values, since counts are such multiples too. Pure.
 */
function judgeScale(
  tests: readonly ScaleTest[],
  {
    cells,
    allGenes,
    ownUnits,
    record,
  }: { cells: number; allGenes: boolean; ownUnits: boolean; record?: RecordedScale },
): ScaleEvidence {
  const about = { tests, ...(record !== undefined && { record }) };
  const judged = (scale: NormalisedScale, basis: ExpressionScale['basis']): ScaleEvidence => ({
    ...about,
    judged: { scale, basis },
  });
  const telling = ownUnits ? tests : tests.filter(({ scale }) => scale !== 'linear');
  const byCounts = telling.filter(({ counts }) => counts >= maxMultiples);
  if (byCounts.length === 1) return judged(byCounts[0]!.scale, 'counts');
  const byMultiples = telling.filter(({ multiples }) => multiples >= maxMultiples);
  if (byMultiples.length === 1) return judged(byMultiples[0]!.scale, 'whole-multiples');
  // Values that are much smaller than 1 are whole multiples on every scale.
  const open = byMultiples.length > 1 ? byMultiples : tests;
  const byTotals = allGenes ? equalTotals(open, cells) : undefined;
  if (byTotals !== undefined) return judged(byTotals, 'totals');
  const recorded = open.find(({ scale }) => scale === record);
  if (recorded !== undefined) return judged(recorded.scale, 'record');
  return about;
}

function equalTotals(tests: readonly ScaleTest[], cells: number): NormalisedScale | undefined {
  const measured = tests.filter(({ spread }) => Number.isFinite(spread));
  const [best, next] = measured.toSorted((a, b) => a.spread - b.spread);
  if (best === undefined || best.spread > (cells < manyCells ? fewCellsOneTotal : oneTotal)) return undefined;
  if (next === undefined) return measured.length === tests.length ? best.scale : undefined;
  return next.spread > timesFarther * Math.max(best.spread, rounding) ? best.scale : undefined;
}
