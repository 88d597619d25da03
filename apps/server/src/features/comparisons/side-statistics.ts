import type { BlockStatistics, ComparedCells, MarkerMethod } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { blockEntries, runAll, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { columnsOfSets } from './compared-sides.ts';
import type { SideBlockTask, StoredSidesTask } from './tasks.ts';

interface TestedSides {
  readonly selection: Selection;
  readonly parameters: ComparisonParameters;
  readonly method: MarkerMethod;
}

/**
 * What the tests of single cells need to know of all genes: a list for each block of genes, with one for each part. It is
 * what is stored with the dataset where that tells, else from one pass over the whole matrix, whatever the number of parts.
 */
export async function sideStatistics(
  { compute, datasets }: { compute: Compute; datasets: OpenDatasets },
  { selection, parameters, method }: TestedSides,
  compared: ComparedCells,
  waiting: Waiting,
): Promise<BlockStatistics[][]> {
  const dataset = datasetOf(selection);
  if (method === 't-test' && !compared.partOf) {
    const stored = await compute.run<StoredSidesTask>(
      { kind: 'compare-stored', dataset, compared, columns: columnsOfSets(selection, parameters) },
      waiting,
    );
    if (stored) return [[stored]];
  }
  const { valueStarts } = await datasets.get(dataset);
  const tasks = geneBlocks(valueStarts, blockEntries).map(({ from, to }): SideBlockTask => ({
    kind: 'compare-block',
    dataset,
    compared,
    method,
    from,
    to,
  }));
  return runAll<SideBlockTask>(compute, tasks, 'Reading the genes', waiting);
}
