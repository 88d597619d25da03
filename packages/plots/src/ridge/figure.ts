import { groupCells } from '../drawing/group-cells.ts';
import { plot } from '../plot.ts';
import { groupedViolinFigure } from '../violin/figure.ts';
import type { ridgeContent } from './content.ts';

export const ridge = plot<typeof ridgeContent>('ridge', ({ measure, groups }, setting, { by }) =>
  groupedViolinFigure({
    ...setting,
    kind: 'ridge',
    measure,
    groups: groupCells(groups, by?.bins, setting.mask),
  }),
);
