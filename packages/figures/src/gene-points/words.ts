import { z } from 'zod';
import { plural, pluralWord } from '@cellfolio/model';
import {
  cells,
  common,
  count,
  list,
  listed,
  named as maxNamed,
  number,
  plotWords,
  pValue,
  sentP,
  text,
  value,
  whole,
} from '../plot-words.ts';

const namedGene = z.object({ gene: text, foldChange: number, adjustedP: number, direction: z.number() });

const pointsNumbers = {
  ...common,
  subtitle: text,
  sides: z.object({ a: text, b: text }),
  thresholds: z.object({ adjustedP: z.number(), foldChange: z.number() }),
  cells: z.object({ a: count, b: count }).optional().catch(undefined),
  tested: count,
  higher: count,
  lower: count,
  /** Genes beyond an axis; drawn at its ends. */
  beyond: count,
  named: list(namedGene),
};

const numbers = z.object(pointsNumbers);
type PointsNumbers = z.output<typeof numbers>;

function pointsSentences(
  { subtitle, sides, thresholds, tested, higher, lower, beyond, named, cells: ofCells }: PointsNumbers,
  lay: string,
) {
  const best = (direction: number) =>
    named
      .filter((gene) => gene.direction === direction)
      .slice(0, maxNamed)
      .map(
        ({ gene, foldChange, adjustedP }) =>
          `${gene} (log2 fold change ${value(foldChange)}, adjusted p ${pValue(adjustedP)})`,
      );
  const [up, down] = [best(1), best(-1)];
  const [surest] = named
    .filter((gene) => gene.direction !== 0 && gene.adjustedP !== null)
    .toSorted((one, other) => one.adjustedP! - other.adjustedP!);
  const of = {
    a: `${sides.a}${ofCells ? ` (${cells(ofCells.a)})` : ''}`,
    b: `${sides.b}${ofCells ? ` (${cells(ofCells.b)})` : ''}`,
  };
  return {
    reading: [
      `Each point is one of ${plural(tested, 'gene')} tested in ${of.a} against ${of.b}: ${lay}.`,
      `${plural(higher, 'is', 'are')} higher in ${sides.a} and ${whole(lower)} in ${sides.b}, with an adjusted p below ${value(thresholds.adjustedP)} and a log2 fold change of at least ${value(thresholds.foldChange)}${surest === undefined ? '' : `; the smallest p is that of ${surest.gene} (adjusted p ${pValue(surest.adjustedP)})`}.`,
    ] as const,
    more: [
      ...(subtitle ? [`${subtitle}.`] : []),
      ...(up.length > 0 ? [`Higher in ${sides.a}: ${listed(up)}.`] : []),
      ...(down.length > 0 ? [`Higher in ${sides.b}: ${listed(down)}.`] : []),
    ],
    cautions:
      beyond === 0
        ? []
        : [
            `${plural(beyond, 'gene has a fold change', 'genes have fold changes')} beyond the axis, mostly as one side hardly expresses ${pluralWord(beyond, 'it', 'them')}.`,
          ],
  };
}

function firstNamed({ named, thresholds, ...rest }: PointsNumbers, rows: number): object {
  const { a, b } = rest.sides;
  return {
    ...rest,
    thresholds: { adjustedP: thresholds.adjustedP, log2FoldChange: thresholds.foldChange },
    named: named.slice(0, rows).map(({ gene, foldChange, adjustedP, direction }) => ({
      gene,
      log2FoldChange: foldChange,
      adjustedP: sentP(adjustedP),
      passesThresholds: direction !== 0,
      higherIn: (foldChange ?? 0) < 0 ? b : a,
    })),
  };
}

export const volcanoWords = plotWords({
  kind: 'volcano',
  name: 'Volcano plot',
  numbers: z.object({ kind: z.literal('volcano'), ...pointsNumbers }),
  sentences: (numbers) =>
    pointsSentences(
      numbers,
      `its log2 fold change (${numbers.sides.a} over ${numbers.sides.b}) from left to right, −log10 of its adjusted p upwards`,
    ),
  firstRows: firstNamed,
});

export const maPlotWords = plotWords({
  kind: 'ma-plot',
  name: 'MA plot',
  numbers: z.object({ kind: z.literal('ma-plot'), ...pointsNumbers, meanTitle: text }),
  sentences: ({ meanTitle, ...numbers }) =>
    pointsSentences(
      numbers,
      `its ${meanTitle} from left to right, its log2 fold change (${numbers.sides.a} over ${numbers.sides.b}) upwards`,
    ),
  firstRows: firstNamed,
});

export const rankPlotWords = plotWords({
  kind: 'rank-plot',
  name: 'Rank plot',
  numbers: z.object({ kind: z.literal('rank-plot'), ...pointsNumbers }),
  sentences: (numbers) =>
    pointsSentences(
      numbers,
      `its rank from left to right, its score in the test upwards, the highest in ${numbers.sides.a} first`,
    ),
  firstRows: firstNamed,
});
