import { declarations } from './all.ts';
import type { Steps } from './context.ts';

export type {
  BatchesApart,
  BatchSlots,
  CheckedSamples,
  ListedGroups,
  Steps,
  Stratum,
  ThreadDataset,
} from './context.ts';

/** Work of compute threads by analysis: `steps` of the file `compute.ts` in each folder, loaded when one is first run. Parts of a streamed table are made below the analyses. */
export const computations = declarations
  .filter(({ isStreamed }) => !isStreamed)
  .map(({ id }) => ({
    id,
    load: async () => ((await import(`./${id}/compute.ts`)) as { readonly steps: Steps }).steps,
  }));
