import type { LigandReceptorParameters } from '@cellfolio/contract';
import type { Caution } from '@cellfolio/model';
import type { DatasetPairs } from './dataset-pairs.ts';
import type { PairGroups, PairTable, ScoredPairs } from './tasks.ts';

export interface LigandReceptorResult {
  /** With the name of the column as the dataset has it. */
  readonly parameters: LigandReceptorParameters;
  readonly pairs: DatasetPairs;
  readonly groups: Pick<PairGroups, 'names' | 'sizes' | 'leftOut' | 'empty' | 'unlabelled'>;
  readonly interactions: ScoredPairs['interactions'];
  readonly means: Float64Array;
  readonly looked: number;
  readonly table: PairTable;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}

/** Whether the pairs say where they were shown. */
export function hasReferences({ named }: DatasetPairs): boolean {
  return named.some(({ reference }) => reference !== '');
}
