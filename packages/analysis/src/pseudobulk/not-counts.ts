import type { GeneSampleMatrix } from './gene-sample-matrix.ts';

export class NotCounts extends Error {
  override readonly name = 'NotCounts';
  /** Row of the gene; `sample` is the index of the sample. */
  readonly gene: number;
  readonly sample: number;
  readonly isFraction: boolean;
  constructor(gene: number, sample: number, value: number) {
    super(`the count of gene ${gene} in sample ${sample} is ${value}: a pseudobulk test needs raw counts`);
    this.gene = gene;
    this.sample = sample;
    this.isFraction = value >= 0 && value < Infinity;
  }
}

/** Throws NotCounts for the first value that `isCount` refuses. */
export function checkCounts(
  { values, sampleCount }: GeneSampleMatrix,
  isCount = (value: number) => value >= 0 && value < Infinity,
): void {
  const wrong = values.findIndex((value) => !isCount(value));
  if (wrong < 0) return;
  throw new NotCounts(Math.floor(wrong / sampleCount), wrong % sampleCount, values[wrong]!);
}
