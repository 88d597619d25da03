import { categoryUmapFigure } from './category-umap.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import { plot } from '../plot.ts';
import { scoreUmapFigure } from './score-umap.ts';
import { hidesSome } from '../shown.ts';
import type { obsUmapContent } from './content.ts';

/** Throws FigureInputError as the figures of categories and of numbers do, and where the other kind was meant. */
export const obsUmap = plot<typeof obsUmapContent>('obs-umap', ({ embedding, values }, setting) => {
  const { shown, range } = setting;
  if ('column' in values) {
    if (shown?.log === true) throw new FigureInputError('log', 'Categories have no logarithm to colour by.');
    if (range !== undefined) throw new FigureInputError('range', 'Categories have no range of values.');
    return categoryUmapFigure({ ...setting, ...values, embedding });
  }
  if (shown && hidesSome(shown)) {
    throw new FigureInputError('hidden', 'A column of numbers has no categories that could be hidden.');
  }
  return scoreUmapFigure({ ...setting, ...values, embedding, kind: 'obs-umap' });
});
