import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import type { CellMask } from '@cellfolio/model';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { datasetOf, type Selection, subsetFilter } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { sharedRefusal, tooFew } from './refusals.ts';
import type { FoundSides, SidesTask } from './tasks.ts';

export interface SideDeps {
  readonly compute: Compute;
  readonly masks: CellMasks;
}

/** Which sets of cells are the sides. */
interface SideQuestion {
  readonly selection: Selection;
  readonly parameters: Pick<ComparisonParameters, 'a' | 'b' | 'within' | 'min_cells'>;
  readonly samples: SampleColumn | undefined;
}

/** The active cells of A and of B. Throws ApiFailure 422 for sets that share cells or have too few, before the matrix is read. */
export async function findSides(
  { compute, masks }: SideDeps,
  { selection, parameters, samples }: SideQuestion,
  waiting: Waiting,
): Promise<Extract<FoundSides, { shared: 0 }>> {
  const { within, min_cells: minCells } = parameters;
  waiting.onProgress({ stage: 'Finding the cells', done: 0, total: 1 });
  /** Undefined for all cells. */
  const setOf = async ({ filter }: ComparisonParameters['a']) => {
    const subset = subsetFilter(filter);
    return subset && (await masks.measure({ ...selection, subset }, waiting)).mask;
  };
  const mask = await masks.maskOf(selection, waiting);
  const a = await setOf(parameters.a);
  const b = parameters.b && (await setOf(parameters.b));
  const found = await compute.run<SidesTask>(
    {
      kind: 'compare-sides',
      dataset: datasetOf(selection),
      mask,
      a: a ?? allCells(selection),
      b: b ?? (parameters.b && allCells(selection)),
      within,
      samples: samples?.column,
      minCells,
    },
    waiting,
  );
  if (!('compared' in found)) throw sharedRefusal(parameters, found.shared);
  if (found.compared.parts.length === 0) throw tooFew(parameters, found.compared);
  return found;
}

function allCells({ manifest: { cellCount } }: Selection): CellMask {
  return { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
}
