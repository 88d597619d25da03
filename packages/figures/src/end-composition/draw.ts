import { figure as compositionBar, partsOfGroups } from '../composition-bar/draw.ts';
import { groupCells } from '../drawing/group-cells.ts';
import { plot } from '../plot.ts';
import type { endComposition } from './declare.ts';

/** Drawn and described as bars of groups; the groups are the ends. */
export const figure = {
  ...compositionBar,
  plot: plot<typeof endComposition>('end-composition', ({ ends: { sides, title }, parts }, setting) => {
    const bits = Uint8Array.from(sides, (side) => Number(side < 2));
    const decision = partsOfGroups({
      mask: { bits, count: bits.reduce((count, bit) => count + bit, 0) },
      show: 'share',
      sort: { order: 'column' },
      groups: {
        column: {
          kind: 'categorical',
          codes: Int8Array.from(sides, (side) => (side < 2 ? side : -1)),
          categories: ['highest end', 'lowest end'],
          categoryType: 'string',
          ordered: true,
        },
        title,
        palette: 'cluster',
      },
      parts: groupCells(parts, undefined),
    });
    return compositionBar.draw(decision, setting);
  }),
};
