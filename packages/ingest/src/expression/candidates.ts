import { geneFeatures, type GeneFeatures } from '../features/gene-features.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout, type MatrixLayout } from '../layout/matrix-layout.ts';
import { areCounts, type ValueStatistics } from '../transpose/value-statistics.ts';
import { maxLogarithm, sampleMatrix, type MatrixSample } from './sample-matrix.ts';
import { scaleTests, type NormalisedScale, type ScaleTest } from './scale-tests.ts';
import type { ExpressionScale } from '@cellfolio/model';
import { decodeNumbers } from '../hdf5/decode-elements.ts';

/** A matrix of the file with what is believed of its values. */
export interface Candidate {
  /** With `dropped` where some of its columns are no genes. */
  readonly layout: MatrixLayout;
  readonly statistics: ValueStatistics;
  readonly evidence: ScaleEvidence;
  readonly content: Content;
  /** Path of the table that describes its genes. */
  readonly varPath: string;
  /** Absent where all its columns are genes. */
  readonly features?: GeneFeatures | undefined;
}

const logLayers = /^(log1?p|log_?norm|lognorm|log_?counts|logcounts|normalized|normalised|norm|data|log)/i;
const countLayers = /^(raw_?counts?|counts?|umi|umis|raw|spliced_?unspliced)$/i;
const logarithms: readonly NormalisedScale[] = ['log1p', 'log2', 'log10', 'linear'];

type Sampled = Omit<Candidate, 'evidence' | 'content' | 'statistics'> & { readonly sample: MatrixSample };

/** Every matrix of the file that may hold expression, best first: raw, X, then layers. */
export function candidates(file: Hdf5File): Candidate[] {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const places = [
    { path: 'raw/X', varPath: 'raw/var' },
    { path: 'raw.X', varPath: 'raw.var' },
    { path: 'X', varPath: 'var' },
    ...[logLayers, countLayers].flatMap((pattern) =>
      layers.filter((name) => pattern.test(name)).map((name) => ({ path: `layers/${name}`, varPath: 'var' })),
    ),
  ];
  const featuresOf = new Map<string, GeneFeatures | undefined>();
  const sampled = places.flatMap(({ path, varPath }): Sampled[] => {
    const plain = matrixLayout(file, path);
    if (plain === undefined) return [];
    if (!featuresOf.has(varPath)) featuresOf.set(varPath, geneFeatures(file, varPath));
    const found = featuresOf.get(varPath);
    // A length other than that of the matrix is reported when both are read.
    const features = found?.dropped.length === plain.geneCount ? found : undefined;
    const layout = features === undefined ? plain : { ...plain, dropped: features.dropped };
    return [{ layout, sample: sampleMatrix(file, layout), varPath, features }];
  });
  const record = log1pRecord(file);
  return sampled.map((one) => {
    const { layout, sample, varPath, features } = one;
    const { statistics } = sample;
    const evidence = evidenceOf(one, sampled, layout.path.startsWith('layers/') ? undefined : record);
    return { layout, varPath, features, statistics, evidence, content: contentOf(statistics, evidence) };
  });
}

function evidenceOf(
  { layout, sample, varPath }: Sampled,
  all: readonly Sampled[],
  record: ReturnType<typeof log1pRecord>,
): ScaleEvidence {
  const { statistics, cells, allGenes } = sample;
  if (areCounts(statistics) || statistics.negative > 0) return { tests: [] };
  const scales = statistics.maximum > maxLogarithm ? (['linear'] as const) : logarithms;
  const counts = all.find(
    (other) =>
      areCounts(other.sample.statistics) &&
      other.varPath === varPath &&
      other.layout.cellCount === layout.cellCount,
  );
  const tests = scaleTests(sample, scales, counts?.sample);
  return judgeScale(tests, { cells: cells.size, allGenes, record });
}

/**
 * What values look like: `log-normalised` to the natural base, `linear` normalised but no logarithms, `undecided` one of
 * these without any sign of which.
 */
export type Content =
  'counts' | 'log-normalised' | 'log2' | 'log10' | 'linear' | 'scaled' | 'undecided' | 'empty';

/** What the values are, by their range and by the evidence of their scale. */
export function contentOf(statistics: ValueStatistics, { judged }: ScaleEvidence): Content {
  if (statistics.entries === 0) return 'empty';
  if (areCounts(statistics)) return 'counts';
  if (statistics.negative > 0) return 'scaled';
  if (statistics.maximum > maxLogarithm) return 'linear';
  if (judged === undefined) return 'undecided';
  return judged.scale === 'log1p' ? 'log-normalised' : judged.scale;
}

/** What the values of a matrix say of their scale. */
interface ScaleEvidence {
  readonly tests: readonly ScaleTest[];
  /** What `uns/log1p` says, where it is about this matrix. */
  readonly record?: LogScale | 'other' | undefined;
  /** Absent if unknown. */
  readonly judged?: { readonly scale: NormalisedScale; readonly basis: ExpressionScale['basis'] };
}

/** Of counts nearly all values are whole multiples; of anything else hardly any. */
const maxMultiples = 0.9;
/** Totals that differ less than this are one total, and other scales must spread them this many times as far. */
const oneTotal = 0.05;
const fewCellsOneTotal = 0.001;
const timesFarther = 4;
const manyCells = 20;
/** What the rounding of float32 makes of equal totals. */
const rounding = 1e-6;

/**
 * Which scale the tests speak for: raw counts of the same cells, then whole multiples within cells, then equal totals
 * of the cells, then the record of `pp.log1p`, unless it contradicts the others. Pure.
 */
function judgeScale(
  tests: readonly ScaleTest[],
  { cells, allGenes, record }: { cells: number; allGenes: boolean; record?: LogScale | 'other' | undefined },
): ScaleEvidence {
  const about = { tests, ...(record !== undefined && { record }) };
  const judged = (scale: NormalisedScale, basis: ExpressionScale['basis']): ScaleEvidence => ({
    ...about,
    judged: { scale, basis },
  });
  const byCounts = tests.filter(({ counts }) => counts >= maxMultiples);
  if (byCounts.length === 1) return judged(byCounts[0]!.scale, 'counts');
  const byMultiples = tests.filter(({ multiples }) => multiples >= maxMultiples);
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
  const known = tests.filter(({ spread }) => Number.isFinite(spread));
  const [best, next] = known.toSorted((a, b) => a.spread - b.spread);
  if (best === undefined || best.spread > (cells < manyCells ? fewCellsOneTotal : oneTotal)) return undefined;
  if (next === undefined) return known.length === tests.length ? best.scale : undefined;
  return next.spread > timesFarther * Math.max(best.spread, rounding) ? best.scale : undefined;
}

type LogScale = 'log1p' | 'log2' | 'log10';

/**
 * What `uns/log1p/base` says, which scanpy's `pp.log1p` writes: no base, or none given, is the natural one. Undefined
 * where there is no such record, `other` where its base is none of e, 2 and 10.
 */
function log1pRecord(file: Hdf5File): LogScale | 'other' | undefined {
  if (file.kind('uns/log1p') !== 'group') return undefined;
  const base = 'uns/log1p/base';
  if (file.kind(base) !== 'dataset' || file.text(base, 'encoding-type') === 'null') return 'log1p';
  const info = file.dataset(base);
  if (info.type.kind !== 'number' || info.shape.length > 1 || info.shape[0] === 0) return 'log1p';
  const value = new Float64Array(1);
  const box = info.shape.length === 0 ? { start: [], count: [] } : { start: [0], count: [1] };
  file.read(info, box, (elements) => decodeNumbers(elements, info.type, value, 0));
  if (Math.abs(value[0]! - Math.E) < 1e-6) return 'log1p';
  if (value[0] === 2) return 'log2';
  return value[0] === 10 ? 'log10' : 'other';
}
