import { declarations } from './all.ts';
import type { Analysis } from './serve.ts';

export type {
  CellGraph,
  CellValues,
  ComparedGroups,
  ComparedOutcome,
  ComparedSamples,
  ComparisonTable,
  Context,
  DatasetLibrary,
  EndsRequest,
  GraphRequest,
  GroupsRequest,
  GroupSums,
  LibraryRequest,
  NamedCells,
  OtherName,
  SampleRequest,
  StreamedTable,
  Stratum,
  SummedCells,
  SummedStratum,
  ValueSource,
} from './context.ts';
export type { DatasetList, ListEntries } from './reference-lists.ts';
export type { Fact } from './declare.ts';
export type { Display, DrawnContent, Outcome, Analysis } from './serve.ts';

/** All analyses, as the server runs them: `analysis` of the file `serve.ts` in each folder. */
export const analyses: readonly Analysis[] = await Promise.all(
  declarations.map(async ({ id }) => {
    const half = (await import(`./${id}/serve.ts`)) as { readonly analysis: Analysis };
    return half.analysis;
  }),
);
