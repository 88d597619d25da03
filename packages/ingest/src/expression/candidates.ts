import { geneFeatures, type GeneFeatures } from '../features/gene-features.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout, type MatrixLayout } from '../layout/matrix-layout.ts';
import { areCounts, type ValueStatistics } from '../transpose/value-statistics.ts';
import { contentOf, type Content } from './content.ts';
import { judgeScale, type ScaleEvidence } from './judge-scale.ts';
import { log1pRecord } from './log1p-record.ts';
import { LARGEST_LOGARITHM, sampleMatrix, type MatrixSample } from './sample-matrix.ts';
import { scaleTests, type NormalisedScale } from './scale-tests.ts';

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

const LOG_LAYERS = /^(log1?p|log_?norm|lognorm|log_?counts|logcounts|normalized|normalised|norm|data|log)/i;
const COUNT_LAYERS = /^(raw_?counts?|counts?|umi|umis|raw|spliced_?unspliced)$/i;
const LOGARITHMS: readonly NormalisedScale[] = ['log1p', 'log2', 'log10', 'linear'];

type Sampled = Omit<Candidate, 'evidence' | 'content' | 'statistics'> & { readonly sample: MatrixSample };

/** Every matrix of the file that may hold expression, best first: raw, X, then layers. */
export function candidates(file: Hdf5File): Candidate[] {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const places = [
    { path: 'raw/X', varPath: 'raw/var' },
    { path: 'raw.X', varPath: 'raw.var' },
    { path: 'X', varPath: 'var' },
    ...[LOG_LAYERS, COUNT_LAYERS].flatMap((pattern) =>
      layers.filter((name) => pattern.test(name)).map((name) => ({ path: `layers/${name}`, varPath: 'var' })),
    ),
  ];
  const featuresOf = new Map<string, GeneFeatures | undefined>();
  const sampled = places.flatMap(({ path, varPath }): Sampled[] => {
    const plain = matrixLayout(file, path);
    if (plain === undefined) return [];
    if (!featuresOf.has(varPath)) featuresOf.set(varPath, geneFeatures(file, varPath));
    const found = featuresOf.get(varPath);
    // A table of another length than the matrix is told when both are read.
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
  const scales = statistics.maximum > LARGEST_LOGARITHM ? (['linear'] as const) : LOGARITHMS;
  const counts = all.find(
    (other) =>
      areCounts(other.sample.statistics) &&
      other.varPath === varPath &&
      other.layout.cellCount === layout.cellCount,
  );
  const tests = scaleTests(sample, scales, counts?.sample);
  return judgeScale(tests, { cells: cells.size, allGenes, record });
}
