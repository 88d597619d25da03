import type { Design, SideDesign } from '@cellfolio/analysis';
import type { CategoricalColumn, ColumnRoles, ResultCaution } from '@cellfolio/model';
import type { z } from 'zod';
import type { designRecord, sampleDesign, SampleChoice, samples, sides, unassigned } from './fields.ts';

/** Services of the server for one call; the cells and the user of the call are behind them. */
export interface Context<Compute extends Computation = Computation> {
  readonly roles: ColumnRoles;
  /** Title of a column of obs, or of one of the user's own. */
  titleOf(column: string): string;
  /** Progress for the user. */
  report(stage: string): void;
  /** Runs the `compute` of the analysis in a thread, where the dataset is open. */
  compute(input: Parameters<Compute>[0]): ReturnType<Compute>;
  /** The name in obs of a categorical column; `field` is its position in the request. Refuses with 400. */
  groupColumn(name: string, field: string): Promise<string>;
  /** Two sets of cells by sample, before anything is tested. Refuses with 400, 409 or 422. */
  comparedSamples(request: SampleRequest, options: SampleOptions): Promise<ComparedSamples>;
  /** Answers 422. */
  refuse(code: string, message: string, field: { readonly field: string; readonly problem: string }): never;
}

/** Work of a compute thread. `input` is posted to it: large arrays are in shared memory. */
export type Computation = (
  input: never,
  dataset: { categories(column: string): Promise<CategoricalColumn> },
) => Promise<unknown>;

type SampleFields = ReturnType<typeof sides> &
  typeof sampleDesign & {
    readonly unassigned: ReturnType<typeof unassigned>;
    readonly samples: typeof samples;
  };
/** The fields of a request that say which samples are compared, and how. */
export type SampleRequest = z.output<z.ZodObject<SampleFields>>;

interface SampleOptions {
  /** The column of obs whose values are compared: cells without one do not count. */
  readonly by: string;
  /** Minimum cells on a side. */
  readonly minCells: number;
  /** Description of cells with a value such as `Unknown` that are not left out. */
  readonly otherwise: string;
}

export interface SampleSum {
  readonly name: string;
  readonly side: 'a' | 'b';
  readonly cells: number;
}

export interface ComparedSamples {
  /** With the names of columns as the dataset has them. */
  readonly request: SampleRequest;
  readonly samples: SampleChoice;
  /** In the order of the design. */
  readonly sums: readonly SampleSum[];
  /** Samples on both sides. */
  readonly both: number;
  readonly design: Design;
  /** Contrast of the design: A minus B. */
  readonly contrast: SideDesign['contrast'];
  readonly record: Omit<z.output<typeof designRecord>, 'residual_df' | 'prior_df'>;
  /** The sum of each cell, in shared memory; `places` are those of `sums`. */
  readonly cells: {
    readonly sumOf: Int32Array;
    readonly sumCount: number;
    readonly places: readonly number[];
  };
  /** Cells of A or B without a value in the compared column. */
  readonly unlabelled: number;
  readonly cautions: readonly ResultCaution[];
}
