import type { SparseBlock } from '@cellfolio/ingest';
import type { DepthLevel, ExpressionModel } from './expression-model.ts';
import { SeededBits } from './seeded-bits.ts';

/** Entries of a block: 8 MiB of indices and as much of values. */
const blockEntries = 1 << 21;

export interface RowsRequest {
  readonly model: ExpressionModel;
  readonly cellCount: number;
  readonly seed: number;
}

/** How many entries `sparseRows` of the same request gives in all. */
export function countEntries({ model, cellCount, seed }: RowsRequest): number {
  const bits = new SeededBits(seed);
  const draws = new Uint32Array(model.geneCount);
  let entries = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const { detected } = nextLevel(model, bits);
    bits.drawInto(draws);
    for (let gene = 0; gene < draws.length; gene++) if (draws[gene]! < detected[gene]!) entries++;
  }
  return entries;
}

/**
 * Rows of a CSR matrix of log-normalised expression, ln(1 + 10,000 x count / counts of the cell) in
 * float32, in blocks that never hold the whole of it. A cell without counts has no entries.
 */
export function* sparseRows({ model, cellCount, seed }: RowsRequest): Generator<SparseBlock> {
  const bits = new SeededBits(seed);
  const draws = new Uint32Array(model.geneCount);
  const counts = new Float64Array(model.geneCount);
  for (let cell = 0; cell < cellCount;) {
    const indices = new Int32Array(blockEntries + model.geneCount);
    const values = new Float32Array(indices.length);
    const indptr = [0];
    let end = 0;
    for (; cell < cellCount && end < blockEntries; cell++) {
      const level = nextLevel(model, bits);
      bits.drawInto(draws);
      const start = end;
      end = detectedGenes({ draws, level, indices, counts }, start);
      normalise(counts.subarray(0, end - start), values.subarray(start, end));
      indptr.push(end);
    }
    yield { indptr, indices: indices.subarray(0, end), values: values.subarray(0, end) };
  }
}

function nextLevel(model: ExpressionModel, bits: SeededBits): DepthLevel {
  return model.levels[Math.floor(bits.uniform() * model.levels.length)]!;
}

interface Row {
  readonly draws: Uint32Array;
  readonly level: DepthLevel;
  readonly indices: Int32Array;
  readonly counts: Float64Array;
}

function detectedGenes({ draws, level, indices, counts }: Row, start: number): number {
  const { detected, perLog } = level;
  let end = start;
  for (let gene = 0; gene < draws.length; gene++) {
    const draw = draws[gene]!;
    if (draw >= detected[gene]!) continue;
    // Half a step keeps the logarithm finite for a draw of 0; below the threshold the count is 1 or more.
    counts[end - start] = Math.max(1, Math.floor(Math.log((draw + 0.5) / 2 ** 32) * perLog[gene]!));
    indices[end++] = gene;
  }
  return end;
}

/** Counts below this recur so often in a cell that their logarithm is taken once. */
const smallCounts = 16;

function normalise(counts: Float64Array, out: Float32Array): void {
  let total = 0;
  for (const count of counts) total += count;
  const perCount = 10_000 / total;
  const small = new Float64Array(smallCounts);
  for (let count = 1; count < smallCounts; count++) small[count] = Math.log1p(count * perCount);
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    out[i] = count < smallCounts ? small[count]! : Math.log1p(count * perCount);
  }
}
