import { categoryUmapFigure } from '../category-umap/figure.ts';
import { plot } from '../plot.ts';
import { scoreUmapFigure } from '../score-umap/figure.ts';
import type { obsUmapContent } from './content.ts';

export const obsUmap = plot<typeof obsUmapContent>('obs-umap', ({ embedding, values }, setting) =>
  'column' in values
    ? categoryUmapFigure({ ...setting, ...values, embedding })
    : scoreUmapFigure({ ...setting, ...values, embedding, kind: 'obs-umap' }),
);
