import { ScoreSum, signatureScores, type SummedGenes } from '@cellfolio/analysis';
import type { GeneColumn } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { sharedScores } from './shared.ts';
import type { ScoreTask, SignatureSums, SumTask } from './task.ts';

/** Genes read at a time: enough to keep the disk busy while others are added up. */
const readsAtOnce = 16;

/** Score of each cell from the sums of all its genes: NaN outside the chosen ones. */
export function scoreCells({ parts, mask }: ScoreTask): Float64Array {
  const cellCount = parts[0]?.genes.sums.length ?? 0;
  const genes = new ScoreSum(cellCount);
  const controls = new ScoreSum(cellCount);
  for (const part of parts) {
    genes.join(part.genes);
    controls.join(part.controls);
  }
  return sharedScores(signatureScores(genes, controls, mask));
}

/** Sums of the genes of a task. Reads stop when the signal aborts. */
export async function sumGenes(task: SumTask, dataset: Dataset, signal: AbortSignal): Promise<SignatureSums> {
  const genes = await sumOf(task.genes, dataset, signal);
  const controls = await sumOf(task.controls, dataset, signal);
  return { genes: shared(genes.summed), controls: shared(controls.summed) };
}

function shared({ sums, ...rest }: SummedGenes): SummedGenes {
  return { sums: sharedScores(sums), ...rest };
}

async function sumOf(rows: Int32Array, dataset: Dataset, signal: AbortSignal): Promise<ScoreSum> {
  const sum = new ScoreSum(dataset.manifest.cellCount);
  for (let start = 0; start < rows.length; start += readsAtOnce) {
    signal.throwIfAborted();
    const batch = Array.from(rows.subarray(start, start + readsAtOnce), (row) =>
      geneAt(dataset, row, signal),
    );
    for (const gene of await Promise.all(batch)) sum.add(gene);
  }
  return sum;
}

/** A gene read as a block of one: its thousand control genes would push the user's own genes out of the cache. */
async function geneAt(dataset: Dataset, row: number, signal: AbortSignal): Promise<GeneColumn> {
  const { cellCount, cells, values } = await dataset.geneBlock(row, row + 1, signal);
  return { cellCount, cells, values };
}
