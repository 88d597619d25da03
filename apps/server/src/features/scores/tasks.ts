import { taskKind } from '../../runtime/compute/task.ts';
import { blockMeans } from '@cellfolio/analysis';
import type { DatasetRef, CellTask, Task } from '../../runtime/compute/task.ts';
import { type BlockMeans, ScoreSum, type SummedGenes, signatureScores } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type CellMask, sharedCopy } from '@cellfolio/model';

/** Mean of the genes [from, to) over the chosen cells, and the number of cells that express each. */
export interface MeansTask extends CellTask<BlockMeans> {
  kind: 'means';
  from: number;
  to: number;
}

export interface SumTask extends Task<SignatureSums> {
  kind: 'sum';
  dataset: DatasetRef;
  /** Rows in var, ascending. */
  rows: Int32Array;
  /** 1 for each row that is a control gene. */
  isControl: Uint8Array;
  /** Sums of other genes, to which these are added. */
  onto?: SignatureSums;
}

/** Score of each chosen cell from the sums: its mean over the genes minus its mean over the controls. */
export interface ScoreTask extends Task<Float64Array> {
  kind: 'score';
  parts: readonly SignatureSums[];
  mask: CellMask | undefined;
}

/** Sums in shared memory. */
export interface SignatureSums {
  genes: SummedGenes;
  controls: SummedGenes;
}

/** NaN outside the chosen cells. */
function scoreCells({ parts, mask }: ScoreTask): Float64Array {
  const cellCount = parts[0]?.genes.sums.length ?? 0;
  const genes = new ScoreSum(cellCount);
  const controls = new ScoreSum(cellCount);
  for (const part of parts) {
    genes.join(part.genes);
    controls.join(part.controls);
  }
  return sharedCopy(signatureScores(genes, controls, mask));
}

/** Adds the genes of a task to the sums before it, as they are read. Reads stop when the signal aborts. */
async function sumGenes(
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

export const scoreTasks = [
  taskKind<MeansTask>('means', ({ from, to, mask }, { dataset, signal }) =>
    dataset.useGeneBlock(from, to, (block) => blockMeans(block, mask), signal),
  ),
  taskKind<SumTask>('sum', (task, { dataset, signal }) => sumGenes(task, dataset, signal)),
  taskKind<ScoreTask>('score', scoreCells),
];
