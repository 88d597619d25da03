import type { Mark, Rectangle } from './scene.ts';
import { INK, SOFT_INK } from './inks.ts';
import { SMALL_SIZE } from './typography.ts';

/** Space left and below the panel that the arrows and their names take. */
export const ARROW_GUTTER = 26;

const LENGTH = 62;
const LINE = 1.5;

/** Two short arrows at the lower left: an embedding has directions, but no scale worth ticks. */
export function axisArrows(panel: Rectangle, names: readonly [string, string]): Mark[] {
  const x = panel.x - 4;
  const y = panel.y + panel.height + 4;
  const head = 4;
  const label = {
    kind: 'text',
    size: SMALL_SIZE,
    style: 'regular',
    colour: SOFT_INK,
    anchor: 'start',
  } as const;
  return [
    { kind: 'rectangle', x: x - LINE / 2, y: y - LINE / 2, width: LENGTH, height: LINE, colour: INK },
    { kind: 'rectangle', x: x - LINE / 2, y: y - LENGTH, width: LINE, height: LENGTH, colour: INK },
    {
      kind: 'triangle',
      corners: [x + LENGTH + 7, y, x + LENGTH - 2, y - head, x + LENGTH - 2, y + head],
      colour: INK,
    },
    {
      kind: 'triangle',
      corners: [x, y - LENGTH - 7, x - head, y - LENGTH + 2, x + head, y - LENGTH + 2],
      colour: INK,
    },
    { ...label, text: names[0], x, y: y + 18 },
    { ...label, text: names[1], x: x - 9, y, upright: true },
  ];
}
