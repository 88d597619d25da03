import type { GeneModel } from '@cellfolio/analysis';
import type { CoExpressionParameters } from '@cellfolio/analysis/parameters';
import type { Caution } from '@cellfolio/model';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { GraphSource } from '../cell-graph/index.ts';
import type { FoundModules, ModuleCheck, TestedGenes } from './module-tasks.ts';

/** With the model that was taken. */
export type TakenParameters = CoExpressionParameters & { readonly model: GeneModel };

export interface CoExpression {
  readonly parameters: TakenParameters;
  readonly graphSource: GraphSource;
  /** Of the graph. */
  readonly cells: { readonly analysed: number; readonly without: number };
  readonly tested: TestedGenes;
  readonly found: FoundModules;
  /** Of the modules, in their order; undefined where a module cannot be scored. */
  readonly checks: readonly (ModuleCheck | undefined)[];
  readonly samples: SampleColumn | undefined;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}
