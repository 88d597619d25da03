import type { CountBlock } from '@cellfolio/process';
import type { DepthLevel, ExpressionModel } from '../data/expression-model.ts';
import { SeededBits } from '../data/seeded-bits.ts';

/** Entries of a block. */
const BLOCK_ENTRIES = 1 << 20;
/** One gene in so many is a group's own, and seen so many times as often in its cells. */
const OWN_GENES = 20;
const OWN_FACTOR = 4;

export interface SimulatedCells {
  readonly model: ExpressionModel;
  readonly cellCount: number;
  readonly groupCount: number;
  readonly seed: number;
}

/** Raw counts of cells in groups of unlike size, block after block of cells. */
export function* simulatedBlocks({
  model,
  cellCount,
  groupCount,
  seed,
}: SimulatedCells): Generator<CountBlock> {
  const bits = new SeededBits(seed);
  const draws = new Uint32Array(model.geneCount);
  const indices = new Int32Array(BLOCK_ENTRIES + model.geneCount);
  const counts = new Int32Array(indices.length);
  for (let cell = 0; cell < cellCount;) {
    const pointers = [0];
    let end = 0;
    for (; cell < cellCount && end < BLOCK_ENTRIES; cell++) {
      const level = model.levels[Math.floor(bits.uniform() * model.levels.length)]!;
      // Squared: the first groups hold most cells, the last few.
      const group = Math.floor(bits.uniform() ** 2 * groupCount);
      bits.drawInto(draws);
      end = cellInto(indices, counts, end, { draws, level, group });
      pointers.push(end);
    }
    yield { pointers, indices: indices.slice(0, end), counts: counts.slice(0, end) };
  }
}

function cellInto(
  indices: Int32Array,
  counts: Int32Array,
  start: number,
  { draws, level: { detected, perLog }, group }: { draws: Uint32Array; level: DepthLevel; group: number },
): number {
  let end = start;
  for (let gene = 0; gene < draws.length; gene++) {
    const own = gene % OWN_GENES === group % OWN_GENES;
    const draw = own ? draws[gene]! / OWN_FACTOR : draws[gene]!;
    if (draw >= detected[gene]!) continue;
    counts[end] = Math.max(1, Math.floor(Math.log((draw + 0.5) / 2 ** 32) * perLog[gene]!));
    indices[end++] = gene;
  }
  return end;
}
