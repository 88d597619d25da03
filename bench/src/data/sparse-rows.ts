import type { SparseBlock } from '@cellfolio/ingest';
import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from './seeded-bits.ts';
/** Entries per block: 8 MiB each of indices and values. */
export const blockEntries = 1 << 21;

interface RowsRequest {
  model: ExpressionModel;
  cellCount: number;
  seed: number;
}

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

/** Blocks of a CSR matrix of ln(1 + 10,000 x count / counts of the cell) in float32. Cells without counts have no entries. */
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
  draws: Uint32Array;
  level: DepthLevel;
  indices: Int32Array;
  counts: Float64Array;
}

function detectedGenes({ draws, level, indices, counts }: Row, start: number): number {
  const { detected, perLog } = level;
  let end = start;
  for (let gene = 0; gene < draws.length; gene++) {
    const draw = draws[gene]!;
    if (draw >= detected[gene]!) continue;
    // Half a step keeps the logarithm finite for a draw of 0.
    counts[end - start] = Math.max(1, Math.floor(Math.log((draw + 0.5) / 2 ** 32) * perLog[gene]!));
    indices[end++] = gene;
  }
  return end;
}

/** Logarithms of counts below this are computed once per cell. */
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

interface DepthLevel {
  depth: number;
  /** Probability that a cell expresses the gene, in units of 2^-32. */
  detected: Uint32Array;
  /** 1 / ln of that probability. */
  perLog: Float64Array;
}

export interface ExpressionModel {
  geneCount: number;
  /** Mean count of each gene in a cell of depth 1. */
  means: Float64Array;
  levels: readonly DepthLevel[];
}

const levelCount = 12;
/** Standard deviation of the natural logarithm of the means; real data span five decades. */
const logSpread = 2.2;
/** Maximum mean count, as of MALAT1. */
const maxMean = 80;

/**
 * A model with an average share of non-zero values. Counts are geometric (a negative binomial of size 1), so that
 * P(count >= k) = P(count >= 1)^k and one draw gives presence and count.
 */
export function expressionModel(geneCount: number, density: number, seed: number): ExpressionModel {
  if (!(density > 0 && density <= 0.5)) throw new RangeError(`density must be in (0, 0.5], not ${density}`);
  const bits = new SeededBits(seed);
  const shape = Float64Array.from({ length: geneCount }, () => Math.exp(logSpread * bits.normal()));
  // Depths from 0.4 to 2.5 times the average.
  const depths = Array.from({ length: levelCount }, (_, i) => 0.4 * 6.25 ** (i / (levelCount - 1)));
  const meansAt = (logScale: number) => shape.map((one) => Math.min(maxMean, one * Math.exp(logScale)));
  let low = -40;
  let high = 40;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (shareDetected(meansAt(middle), depths) < density) low = middle;
    else high = middle;
  }
  const means = meansAt(low);
  return { geneCount, means, levels: depths.map((depth) => depthLevel(means, depth)) };
}

function shareDetected(means: Float64Array, depths: readonly number[]): number {
  let sum = 0;
  for (const depth of depths) for (const mean of means) sum += (mean * depth) / (1 + mean * depth);
  return sum / (means.length * depths.length);
}

function depthLevel(means: Float64Array, depth: number): DepthLevel {
  const chances = means.map((mean) => (mean * depth) / (1 + mean * depth));
  return {
    depth,
    detected: Uint32Array.from(chances, (chance) => Math.floor(chance * 2 ** 32)),
    perLog: chances.map((chance) => 1 / Math.log(chance)),
  };
}

/** A block of genes in memory: `fill` adds the entries of one gene, cells in rising order. */
export function geneBlock(
  { cells: cellCount, genes }: { cells: number; genes: number },
  fill: (gene: number, add: (cell: number, value: number) => void) => void,
): GeneBlock {
  const starts = new Float64Array(genes + 1);
  const [cells, values]: [number[], number[]] = [[], []];
  const add = (cell: number, value: number) => {
    cells.push(cell);
    values.push(value);
  };
  for (let gene = 0; gene < genes; gene++) {
    fill(gene, add);
    starts[gene + 1] = cells.length;
  }
  return {
    cellCount,
    firstGene: 0,
    starts,
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
}
