import { runAll, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type { ResultOf, Task } from '../../../runtime/compute/task.ts';

/** Genes × samples per block: 50 to 100 ms of work, so that other users' figures come in between. */
const blockValues = 16_000;

export function blocksOf(genes: Int32Array, samples: number): Int32Array[] {
  const size = Math.max(1, Math.floor(blockValues / samples));
  return Array.from({ length: Math.ceil(genes.length / size) }, (_, at) =>
    genes.slice(at * size, (at + 1) * size),
  );
}

/** Runs the tasks of all parts together; results are grouped by part. */
export async function runBlocks<T extends Task>(
  compute: Compute,
  ofParts: readonly (readonly T[])[],
  stage: string,
  call: CallContext,
): Promise<ResultOf<T>[][]> {
  const results = await runAll<T>(compute, ofParts.flat(), stage, call);
  let from = 0;
  return ofParts.map(({ length }) => results.slice(from, (from += length)));
}
