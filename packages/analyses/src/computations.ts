import { declarations } from './all.ts';
import type { Computation } from './context.ts';

export type { Computation } from './context.ts';

/** Work of compute threads by analysis: `compute` of the file `compute.ts` in each folder, loaded when it is first run. */
export const computations = declarations.map(({ id }) => ({
  id,
  load: async () => ((await import(`./${id}/compute.ts`)) as { readonly compute: Computation }).compute,
}));
