import type { Caution } from './caution.ts';
import type { CategoricalColumn } from './column.ts';
import { type IntegrationMethod, integrationMethods } from './integration-methods.ts';
import type { NeighbourMixing } from './processing-record.ts';
import { unitName } from './unit-name.ts';

type Labels = Pick<CategoricalColumn, 'codes' | 'categories'>;

/** Distribution of a dataset's samples over its clusters. Shares are from 0 to 1. */
interface SampleMixing {
  /** Clusters and samples with enough cells to evaluate. */
  clusters: number;
  samples: number;
  smallClusters: number;
  /** Clusters that consist almost entirely of one sample, beyond its share of all cells. */
  oneSampleClusters: number;
  /** Share of the cells in those clusters. */
  oneSampleCells: number;
  /** Share of the largest sample among all cells: its expected share of each cluster if samples are mixed. */
  largestSample: number;
  /** Entropy of the samples within clusters, relative to that of all cells: 0 if each has one sample, 1 if mixed. */
  entropy: number;
}

/** Smaller clusters and samples are left out: their shares are chance. */
const FEWEST_CELLS = 20;
const ONE_SAMPLE = 0.9;
/** Minimum odds ratio of a sample, within a cluster against all cells, for the cluster to count as that sample's. */
const LEAST_ODDS_RATIO = 4;
/** Samples are not mixed from this share of the cells on, or below this entropy. */
const MANY_CELLS = 0.25;
const LITTLE_ENTROPY = 0.5;
/** The same from this share on of the way from mixed samples (0) to neighbours all from one sample (1). */
const MUCH_APART = 0.5;

/**
 * Undefined if fewer than two clusters or two samples have 20 cells. Cells without a cluster or sample are left out.
 */
export function sampleMixing(clusters: Labels, samples: Labels): SampleMixing | undefined {
  const table = contingency(clusters, samples);
  const sampleSums = Float64Array.from(samples.categories, (_, sample) =>
    table.reduce((sum, row) => sum + row[sample]!, 0),
  );
  const large = Array.from(sampleSums.keys()).filter((sample) => sampleSums[sample]! >= FEWEST_CELLS);
  const rows = table
    .map((row) => large.map((sample) => row[sample]!))
    .filter((row) => total(row) >= FEWEST_CELLS);
  if (rows.length < 2 || large.length < 2) return undefined;
  const overall = large.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0));
  const cells = total(overall);
  const alone = rows.filter((row) => {
    const largest = Math.max(...row);
    const share = largest / total(row);
    if (share < ONE_SAMPLE) return false;
    const expected = overall[row.indexOf(largest)]! / cells;
    return share * (1 - expected) >= LEAST_ODDS_RATIO * expected * (1 - share);
  });
  const whole = entropyOf(overall);
  return {
    clusters: rows.length,
    samples: large.length,
    smallClusters: table.filter((row) => row.some((cells) => cells > 0)).length - rows.length,
    oneSampleClusters: alone.length,
    oneSampleCells: alone.reduce((sum, row) => sum + total(row), 0) / cells,
    largestSample: Math.max(...overall) / cells,
    entropy:
      whole === 0 ? 1 : rows.reduce((sum, row) => sum + (total(row) / cells) * entropyOf(row), 0) / whole,
  };
}

/** Warns that samples are not mixed, with advice; undefined if they are mixed. */
export function mixingCaution(
  mixing: SampleMixing,
  column: string,
  {
    near,
    integrated,
    tested,
  }: {
    near?: NeighbourMixing | undefined;
    integrated?: { readonly method: IntegrationMethod; readonly over: string } | undefined;
    /** Column whose values tests take for samples. */
    tested?: string | undefined;
  } = {},
): Caution | undefined {
  const { clusters, samples, smallClusters, oneSampleClusters, oneSampleCells, largestSample, entropy } =
    mixing;
  if (oneSampleCells < MANY_CELLS && entropy > LITTLE_ENTROPY && apart(near) < MUCH_APART) return undefined;
  // Clusters that are too small for this were not judged.
  const ofEnough = smallClusters === 0 ? '' : ` of at least ${FEWEST_CELLS} cells`;
  const finding =
    oneSampleClusters > 0
      ? `${oneSampleClusters} of ${clusters} clusters${ofEnough}, with ${percent(oneSampleCells)} of the cells, are nearly of one sample each`
      : near
        ? `The nearest neighbors of a cell are of ${near.effectiveSamples.toFixed(2)} samples (effective number; ${near.expectedSamples.toFixed(2)} if mixed)`
        : `Samples lie apart in the ${clusters} clusters${ofEnough} (entropy ${entropy.toFixed(2)}, 1 if mixed)`;
  const tests =
    tested === undefined ? '' : tested === column ? ', the replicates of tests' : `; tests use '${tested}'`;
  // Donors differ by biology: an integration over them takes out what is looked for.
  const over = unitName(column) === 'attribute' ? `'${column}'` : 'a column of batches, not of donors';
  const advice =
    integrated === undefined
      ? `If it is a batch effect, integrate over ${over}`
      : `Integration over '${integrated.over}' (${integrationMethods[integrated.method].name}) did not remove it: look for biology first`;
  return {
    code: 'samples-not-mixed',
    message: `${finding} (${samples} samples of '${column}'${tests}). It may be biology, such as the tumor of each patient. ${advice}: ${BATCH_ARTICLE}.`,
    numbers: {
      column,
      clusters,
      samples,
      oneSampleClusters,
      oneSampleCells,
      largestSample,
      entropy,
      ...(near && {
        neighbours: near.neighbours,
        effectiveSamples: near.effectiveSamples,
        expectedSamples: near.expectedSamples,
      }),
    },
  };
}

/** Position of the neighbours between mixed samples (0) and the same sample alone (1). */
function apart(near: NeighbourMixing | undefined): number {
  if (near === undefined || near.expectedSamples <= 1) return 0;
  const [chance, mixed] = [1 / near.effectiveSamples, 1 / near.expectedSamples];
  return (chance - mixed) / (1 - mixed);
}

export function mixingText(now: NeighbourMixing, before?: NeighbourMixing): string {
  const effective = ({ effectiveSamples }: NeighbourMixing) => effectiveSamples.toFixed(2);
  const effectiveText =
    before === undefined
      ? effective(now)
      : `${effective(before)} before integration, ${effective(now)} after`;
  return `Effective number of samples among the ${now.neighbours} nearest neighbors of a cell (inverse Simpson index, as LISI): ${effectiveText}; ${now.expectedSamples.toFixed(2)} if samples were fully mixed, 1 if fully apart.`;
}

const BATCH_ARTICLE = '/blog/batch-correction-scrna-seq-methods-comparison';

function contingency(clusters: Labels, samples: Labels): Float64Array[] {
  const table = clusters.categories.map(() => new Float64Array(samples.categories.length));
  for (let cell = 0; cell < clusters.codes.length; cell++) {
    const cluster = clusters.codes[cell]!;
    const sample = samples.codes[cell]!;
    if (cluster >= 0 && sample >= 0) table[cluster]![sample]!++;
  }
  return table;
}

function entropyOf(counts: readonly number[]): number {
  const sum = total(counts);
  return counts.reduce(
    (entropy, count) => entropy - (count > 0 ? (count / sum) * Math.log(count / sum) : 0),
    0,
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
