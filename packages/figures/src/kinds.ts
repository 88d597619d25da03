import { declarations } from './all.ts';
import type { FigureKind } from './figure-kind.ts';
import type { KindWords } from './plot-words.ts';

type Found = Pick<FigureKind, 'plot' | 'numbers'>;

/** Figures that are one folder: `figure` of the file `draw.ts` in it, and `words` of the file `words.ts`. */
export const kinds: readonly (Found & { readonly kind: string; readonly words: KindWords })[] =
  await Promise.all(
    declarations
      .filter((declaration) => 'isFolder' in declaration)
      .map(async ({ kind }) => {
        const [{ figure }, { words }] = (await Promise.all([
          import(`./${kind}/draw.ts`),
          import(`./${kind}/words.ts`),
        ])) as [{ figure: Found }, { words: KindWords }];
        return Object.assign({ kind, words }, figure);
      }),
  );
