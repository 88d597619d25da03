import type { BlockStatistics, ComparedCells, DepthSets, MarkerMethod, Thinning } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { geneBlocks } from '@cellfolio/store';
import { blockEntries, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { CellDepths, FoundDepths } from '../../runtime/cell-depths.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import { columnsOfSets } from './compared-sides.ts';
import type { SideBlockTask, StoredSidesTask } from './tasks.ts';

interface TestedSides {
  readonly selection: Selection;
  readonly parameters: ComparisonParameters;
  readonly method: MarkerMethod;
  readonly thinning: Thinning | undefined;
}

/** How many counts the cells of A and B have, part by part; undefined where that is not known. */
export function sideDepths(
  depths: CellDepths,
  { selection, parameters }: Pick<TestedSides, 'selection' | 'parameters'>,
  { sides, partOf, parts }: ComparedCells,
  call: CallContext,
): Promise<FoundDepths | undefined> {
  const sets = parts.map((_, part): DepthSets => ({
    codes: sides,
    setCount: 2,
    ...(partOf && { within: { partOf, part } }),
  }));
  return depths.of(selection.manifest, { sets, isThinned: parameters.depth === 'downsample' }, call);
}

/**
 * Statistics of all genes for the tests of single cells: a list for each block of genes, with one entry for each part.
 * Taken from the sums stored with the dataset if they suffice, else from one pass over the whole matrix, whatever the
 * number of parts.
 */
export async function sideStatistics(
  { compute, depths }: { compute: Compute; depths: CellDepths },
  { selection, parameters, method, thinning }: TestedSides,
  compared: ComparedCells,
  call: CallContext,
): Promise<BlockStatistics[][]> {
  const dataset = datasetOf(selection);
  if (method === 't-test' && !compared.partOf && !thinning) {
    const stored = await compute.run<StoredSidesTask>(
      { kind: 'compare-stored', dataset, compared, columns: columnsOfSets(selection, parameters) },
      call,
    );
    if (stored) return [[stored]];
  }
  const starts = await depths.testedStarts(dataset, thinning, call);
  const tasks = geneBlocks(starts, blockEntries).map(({ from, to }): SideBlockTask => ({
    kind: 'compare-block',
    dataset,
    compared,
    method,
    thinning,
    from,
    to,
  }));
  return runAll<SideBlockTask>(compute, tasks, 'Reading the genes', call);
}
