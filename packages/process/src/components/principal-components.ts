import { threadResult } from '../thread-result.ts';
import type { EntryRows } from './entry-rows.ts';
import { gramRows, gramStarts, type GeneShare } from './gram-rows.ts';
import type { GramJob } from './gram-worker.ts';
import { basisSize, leadingEigenpairs } from './leading-eigenpairs.ts';
import { covarianceOperator, denseOperator, scoresAlong, type Operator } from './operators.ts';
import { symmetricEigen, type Eigenpairs } from './symmetric-eigen.ts';

export interface PrincipalComponents {
  readonly components: number;
  readonly coordinates: Float64Array;
  /** Axes of length 1, component after component, and the variance along each (n - 1 in the denominator). */
  readonly axes: Float64Array;
  readonly variances: Float64Array;
}

/** Maximum number of genes whose covariances are held: 128 MiB. */
export const maxDenseGenes = 4096;
/** Less work is done sooner than a thread starts. */
const minPairsOfThread = 100_000_000;
const expectedPasses = 50;
const [covariancesDone, vectorsDone] = [0.7, 0.9];

/**
 * First principal components of cells x genes, each gene centred: exact, and the same with any number of threads. The
 * sign of a component is arbitrary. `components`: at most the number of genes, and less than that of cells.
 * `onProgress`: completed share, from 0 to 1.
 */
export async function principalComponents(
  rows: EntryRows,
  components: number,
  threads: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<PrincipalComponents> {
  const means = meansOf(rows);
  const eigenpairs = await eigenpairsOf(rows, means, { components, threads, onProgress });
  return {
    components,
    coordinates: scoresAlong(rows, means, eigenpairs, (done) =>
      onProgress(vectorsDone + (1 - vectorsDone) * done),
    ),
    axes: eigenpairs.vectors,
    variances: eigenpairs.values,
  };
}

async function eigenpairsOf(
  rows: EntryRows,
  means: Float64Array,
  {
    components,
    threads,
    onProgress,
  }: { components: number; threads: number; onProgress: (done: number) => void },
): Promise<Eigenpairs> {
  const { geneCount } = rows;
  const writeCovariance = () =>
    covariance(rows, means, threads, (done) => onProgress(covariancesDone * done));
  if (geneCount > basisSize(components)) {
    const operator = isSoonerDense(rows)
      ? withProgress(denseOperator(geneCount, await writeCovariance()), onProgress, covariancesDone)
      : withProgress(covarianceOperator(rows, means), onProgress, 0);
    return leadingEigenpairs(operator, components);
  }
  const whole = new Float64Array(geneCount * geneCount);
  (await writeCovariance())(whole);
  const { values, vectors } = symmetricEigen(whole, geneCount);
  return { values: values.slice(0, components), vectors: vectors.slice(0, components * geneCount) };
}

/** Wraps the operator to report every pass. Their number is unknown: each is a fraction of the rest. */
function withProgress(operator: Operator, onProgress: (done: number) => void, from: number): Operator {
  let left = vectorsDone - from;
  return {
    ...operator,
    apply: (panel, to) => {
      operator.apply(panel, to);
      left *= 1 - 1 / expectedPasses;
      onProgress(vectorsDone - left);
    },
  };
}

/**
 * Whether computing and repeatedly applying the covariances is faster than applying the entries. Costs are measured
 * nanoseconds.
 */
function isSoonerDense(rows: EntryRows): boolean {
  const { cellCount, geneCount, pointers } = rows;
  if (geneCount > maxDenseGenes) return false;
  return pairsOf(rows) + expectedPasses * 2 * geneCount ** 2 < expectedPasses * (7 * pointers[cellCount]!);
}

function pairsOf({ cellCount, pointers }: EntryRows): number {
  let pairs = 0;
  for (let cell = 0; cell < cellCount; cell++) pairs += (pointers[cell + 1]! - pointers[cell]!) ** 2 / 2;
  return pairs;
}

function meansOf({ cellCount, geneCount, words, values }: EntryRows): Float64Array {
  const means = new Float64Array(geneCount);
  for (let at = 0; at < words.length; at += 2) means[words[at + 1]!]! += values[at]!;
  return means.map((sum) => sum / cellCount);
}

/** Covariances of the genes (n - 1 in the denominator); the returned function writes them in place, row after row. */
async function covariance(
  rows: EntryRows,
  means: Float64Array,
  threads: number,
  onPart: (done: number) => void,
): Promise<(into: Float64Array) => void> {
  const { cellCount, geneCount } = rows;
  const step = Math.max(1, Math.min(threads, Math.floor(pairsOf(rows) / minPairsOfThread)));
  const [own, ...others] = Array.from({ length: step }, (_, first): GeneShare => ({ first, step }));
  const begun = others.map((share) =>
    threadResult<GramJob, Float64Array>(new URL('./gram-worker.ts', import.meta.url), { rows, share }),
  );
  const parts = [gramRows(rows, own!, onPart), ...(await Promise.all(begun))];
  return (into) => {
    for (const [first, sums] of parts.entries()) {
      const starts = gramStarts(geneCount, { first, step });
      for (let gene = first; gene < geneCount; gene += step) {
        const from = starts[gene]! - gene;
        const centre = cellCount * means[gene]!;
        for (let other = gene; other < geneCount; other++) {
          const value = (sums[from + other]! - centre * means[other]!) / (cellCount - 1);
          into[gene * geneCount + other] = value;
          into[other * geneCount + gene] = value;
        }
      }
    }
  };
}
