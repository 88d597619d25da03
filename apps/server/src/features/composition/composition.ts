import type { CompositionParameters } from '@cellfolio/analysis/parameters';
import type { Caution } from '@cellfolio/model';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import type { DesignedPart } from '../comparisons/index.ts';
import type { TestedComposition } from './tasks.ts';

/** What samples are made of, compared. */
export interface Composition {
  /** With the names of the columns as the dataset has them. */
  readonly parameters: CompositionParameters;
  readonly by: string;
  readonly samples: SampleColumn;
  readonly part: DesignedPart;
  readonly tested: Extract<TestedComposition, { categories: readonly unknown[] }>;
  /** What limits the result, the gravest first. */
  readonly cautions: readonly Caution[];
}
