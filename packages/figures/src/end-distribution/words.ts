import { cells, type KindWords, percent, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Histogram',
  sentences: ({ title, subtitle, share, high, low, floor, range }) => {
    const atFloor = floor ? floor.cells[0] + floor.cells[1] + floor.cells[2] : 0;
    const tied = (side: typeof high, name: string): string[] =>
      side.tied > side.cells / 2
        ? [
            `${whole(side.tied)} of ${cells(side.cells)} of the ${name} end are tied: ranks cannot separate them, so all are included.`,
          ]
        : [];
    return {
      reading: [
        `The histogram ranks cells by ${title} and colors the ${subtitle}.`,
        `The highest end has ${cells(high.cells)} (${percent(high.share, 1)} instead of ${share} %), the lowest ${cells(low.cells)} (${percent(low.share, 1)}).`,
      ],
      more: [
        floor
          ? `${cells(atFloor)} have ${value(floor.value)}; the others go from ${value(range[0])} to ${value(range[1])}.`
          : `Values go from ${value(range[0])} to ${value(range[1])}.`,
      ],
      cautions: [...tied(high, 'highest'), ...tied(low, 'lowest')],
    };
  },
};
