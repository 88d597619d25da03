import { ScoreSum, signatureScores, type SummedGenes } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { sharedCopy } from '@cellfolio/model';
import type { ScoreTask, SignatureSums, SumTask } from '../../runtime/compute/task.ts';

/** Score of each cell from the sums of all its genes: NaN outside the chosen ones. */
export function scoreCells({ parts, mask }: ScoreTask): Float64Array {
  const cellCount = parts[0]?.genes.sums.length ?? 0;
  const genes = new ScoreSum(cellCount);
  const controls = new ScoreSum(cellCount);
  for (const part of parts) {
    genes.join(part.genes);
    controls.join(part.controls);
  }
  return sharedCopy(signatureScores(genes, controls, mask));
}

/** Sums of the genes of a task, on top of those before it, straight from what is read. Reads stop when the signal aborts. */
export async function sumGenes(
  { rows, isControl, onto }: SumTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<SignatureSums> {
  const { cellCount } = dataset.manifest;
  const genes = new ScoreSum(cellCount);
  const controls = new ScoreSum(cellCount);
  if (onto) {
    genes.join(onto.genes);
    controls.join(onto.controls);
  }
  await dataset.useGenes(
    rows,
    (place, cells, values) => (isControl[place] === 1 ? controls : genes).addEntries(cells, values),
    signal,
  );
  const controlCount = isControl.reduce((count, flag) => count + flag, 0);
  genes.countGenes(rows.length - controlCount);
  controls.countGenes(controlCount);
  return { genes: shared(genes.summed), controls: shared(controls.summed) };
}

function shared({ sums, ...rest }: SummedGenes): SummedGenes {
  return { sums: sharedCopy(sums), ...rest };
}
