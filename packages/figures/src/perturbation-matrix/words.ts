import { plural } from '@cellfolio/model';
import { type KindWords, listed, named, value, whole } from '../plot-words.ts';
import type { Numbers } from './draw.ts';

export const words: KindWords<Numbers> = {
  name: 'Matrix of perturbations',
  sentences: ({ of, rows, columns, values, perturbationCount }) => {
    const isOfGenes = of === 'genes';
    const pairs = values.flatMap((own, at) => {
      const [row, column] = [Math.floor(at / columns.length), at % columns.length];
      return own === null || (!isOfGenes && column >= row) ? [] : [{ row, column, own }];
    });
    const largest = pairs.toSorted((a, b) => Math.abs(b.own) - Math.abs(a.own)).slice(0, named);
    const phrases = largest.map(({ row, column, own }) =>
      isOfGenes
        ? `${columns[column]!} by ${rows[row]!} (${value(own)})`
        : `${rows[row]!} and ${columns[column]!} (${value(own)})`,
    );
    return {
      reading: [
        isOfGenes
          ? `The matrix shows differences of ${plural(columns.length, 'gene')} from the controls in ${plural(rows.length, 'perturbation')}, similar ones side by side.`
          : `The matrix shows correlations of ${plural(rows.length, 'perturbation')}, similar ones side by side.`,
        phrases.length === 0
          ? 'It is empty.'
          : `${isOfGenes ? 'The largest difference' : 'The strongest correlation'} is that of ${phrases[0]!}.`,
      ],
      more:
        phrases.length > 1
          ? [`${isOfGenes ? 'Largest differences' : 'Strongest correlations'}: ${listed(phrases)}.`]
          : [],
      cautions:
        rows.length < perturbationCount
          ? [
              `The matrix shows ${whole(rows.length)} of ${plural(perturbationCount, 'perturbation')}: those that change most genes.`,
            ]
          : [],
    };
  },
  firstRows: ({ rows, columns, values, ...rest }, limit) => ({
    ...rest,
    rows: rows.slice(0, limit),
    columns: columns.slice(0, named),
    values: values.filter((_, at) => at % columns.length < named && Math.floor(at / columns.length) < limit),
  }),
};
