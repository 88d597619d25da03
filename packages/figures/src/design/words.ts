import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { plural } from '@cellfolio/model';
import { common, count, list, listed, named, plotWords, text, whole } from '../plot-words.ts';

const column = z.union([
  z.object({ title: text, levels: list(z.object({ label: text, a: count, b: count })) }),
  z.object({ title: text }),
]);

/** If cell counts differ by a larger factor, sums differ much in precision. */
const unequal = 10;

export const designWords = plotWords({
  kind: 'design',
  name: 'Samples and design',
  numbers: z.object({
    kind: z.literal('design'),
    ...common,
    subtitle: text,
    sides: z.object({ a: text, b: text }),
    formula: text,
    /** From top to bottom: samples of A, then of B, with equal ones adjacent. */
    samples: list(z.object({ label: text, side: z.enum(['a', 'b']), cells: count })),
    columns: list(column),
    coefficients: list(z.object({ name: text })),
  }),
  sentences: ({ formula, samples, sides, columns, coefficients }) => {
    const cells = samples.map((sample) => sample.cells).toSorted((a, b) => a - b);
    const [fewest = 0, maxCells = 0] = [cells[0], cells.at(-1)];
    const count = (side: 'a' | 'b'): number => samples.filter((sample) => sample.side === side).length;
    // The first column is the side itself.
    const apart = columns.slice(1).flatMap((one) => {
      if (!('levels' in one) || one.levels.length < 2) return [];
      const both = one.levels.filter(({ a, b }) => a > 0 && b > 0).length;
      return both === one.levels.length ? [] : [{ title: one.title, both, all: one.levels.length }];
    });
    return {
      reading: [
        `The figure shows ${plural(samples.length, 'sample')}, ${whole(count('a'))} of ${sides.a} and ${whole(count('b'))} of ${sides.b}, and a model with ${plural(coefficients.length, 'coefficient')}.`,
        `They have ${whole(fewest)} to ${whole(maxCells)} cells each${apart.length === 0 ? ', and each group of samples has some of both sides' : ''}.`,
      ],
      more: [`Model formula: ${formula}.`],
      cautions: [
        ...(apart.length === 0
          ? []
          : [
              `Groups of samples that are all of one side do not help to compare the sides: ${listed(
                apart
                  .slice(0, named)
                  .map(
                    ({ title, both, all }) =>
                      `of ${columnTitle(title)}, ${whole(both)} of ${whole(all)} have both`,
                  ),
              )}.`,
            ]),
        ...(maxCells > unequal * fewest
          ? [`The largest sample has more than ${unequal} times as many cells as the smallest.`]
          : []),
      ],
    };
  },
  firstRows: (numbers, rows) => ({
    ...numbers,
    samples: numbers.samples.slice(0, rows),
    samplesInAll: numbers.samples.length,
  }),
});
