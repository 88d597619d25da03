import type { EndsParameters } from '@cellfolio/analysis/parameters';
import type { CellMask, ResultCaution } from '@cellfolio/model';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { Selection } from '../selection/index.ts';

export interface EndSides {
  a: CellMask;
  b: CellMask;
  /** Rows of the genes that chose the cells, and so carry no further information about them. */
  untested: readonly number[];
  lines: readonly string[];
  cautions: readonly ResultCaution[];
}

export interface EndSource {
  /** Version of the gene library, on which ends depend besides the cells. */
  version(ends: EndsParameters): Promise<string>;
  /** Throws ApiFailure 400 for a name that the dataset does not have, 422 when no sample has ends. */
  sides(
    selection: Selection,
    ends: EndsParameters,
    within: { samples: SampleColumn | undefined; minCells: number },
    call: CallContext,
  ): Promise<EndSides>;
}
