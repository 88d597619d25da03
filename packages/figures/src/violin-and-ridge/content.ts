import { dataName, geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { type Grouping, grouping, groupingInput } from '../grouping.ts';
import { jsonAddress, plotContent, type TitleOf, byGroups } from '../plot-content.ts';
import { scoreChoices, scoreNames, scoreAddress, scorePictured } from '../scores.ts';

export const cellMeasure = z.discriminatedUnion('measure', [
  z.object({ measure: z.literal('gene'), gene: geneName }),
  z.object({ measure: z.literal('obs'), column: dataName.describe('A column of numbers.') }),
  z.object({
    measure: z.literal('score'),
    score: z.discriminatedUnion('of', [scoreChoices.signature, scoreChoices.cellState]),
  }),
]);
type CellMeasure = z.output<typeof cellMeasure>;

const violinOptions = {
  of: cellMeasure.describe('What is measured in each cell.'),
  by: grouping.optional().describe('Cell types, else clusters, if absent.'),
};

export function measureInput(of: CellMeasure) {
  if (of.measure === 'score') return { from: 'score', score: of.score } as const;
  return of.measure === 'gene'
    ? ({ from: 'gene', gene: of.gene } as const)
    : ({ from: 'obs', column: of.column } as const);
}

export function measureTitle(of: CellMeasure, titleOf: TitleOf): string {
  if (of.measure === 'score') return scoreNames(of.score).title;
  return of.measure === 'gene' ? of.gene : titleOf(of.column);
}

function measureKind({ measure }: CellMeasure): 'expression' | 'score' | 'number' {
  return measure === 'gene' ? 'expression' : measure === 'score' ? 'score' : 'number';
}

function byText(
  { by, split }: { by?: Grouping | undefined; split?: Grouping | undefined },
  titleOf: TitleOf,
): string {
  const grouped = by === undefined ? 'Violin' : `Violin by ${titleOf(by.column)}`;
  return split === undefined ? grouped : `${grouped}, split by ${titleOf(split.column)}`;
}

export const violinContent = plotContent({
  kind: 'violin',
  name: 'Violin',
  schema: z.object({
    kind: z.literal('violin'),
    ...violinOptions,
    split: grouping.optional().describe('Parts of each group; two of them are the halves of one violin.'),
    points: z.boolean().optional().describe('Draws some of the cells, at random, as points in the violins.'),
    samples: dataName
      .optional()
      .describe(
        'A column of obs that says which sample a cell is from: draws the mean of each sample as a dot.',
      ),
  }),
  inputs: ({ of, by, split, samples }) => ({
    measure: measureInput(of),
    groups: groupingInput(by),
    split: split === undefined ? [] : [groupingInput(split)],
    samples: samples === undefined ? [] : [{ from: 'obs', column: samples } as const],
  }),
  titles: ({ of, ...how }, _, titleOf) => ({
    title: measureTitle(of, titleOf),
    subtitle: byText(how, titleOf),
  }),
  measure: ({ of }) => measureKind(of),
  shape: 'violin',
  address: jsonAddress,
});

export const ridgeContent = plotContent({
  kind: 'ridge',
  name: 'Ridge plot',
  schema: z.object({ kind: z.literal('ridge'), of: violinOptions.of, by: violinOptions.by }),
  inputs: ({ of, by }) => ({ measure: measureInput(of), groups: groupingInput(by) }),
  titles: ({ of, by }, _, titleOf) => ({
    title: measureTitle(of, titleOf),
    subtitle: by === undefined ? 'Ridge plot' : `Ridge plot by ${titleOf(by.column)}`,
  }),
  measure: ({ of }) => measureKind(of),
  shape: 'violin',
  address: jsonAddress,
});

export const geneViolinContent = plotContent({
  kind: 'gene-violin',
  name: 'Violin',
  schema: z.object({ kind: z.literal('gene-violin'), gene: geneName }),
  inputs: ({ gene }) => ({ gene: { from: 'gene', gene }, groups: { from: 'column', of: 'groups' } }),
  titles: ({ gene }, groupedBy) => ({ title: gene, subtitle: `Expression ${byGroups(groupedBy)}` }),
  measure: () => 'expression',
  shape: 'violin',
  address: { names: ({ gene }) => [gene], read: ([gene]) => ({ gene }) },
});

export const scoreViolinContent = plotContent({
  kind: 'score-violin',
  name: 'Violin',
  schema: z.discriminatedUnion('of', [
    scoreChoices.signature.extend({ kind: z.literal('score-violin') }),
    scoreChoices.cellState.extend({ kind: z.literal('score-violin') }),
  ]),
  inputs: (score) => ({ groups: { from: 'column', of: 'groups' }, score: { from: 'score', score } }),
  titles: (score, groupedBy) => {
    const { title, noun } = scoreNames(score);
    return { title, subtitle: `${noun} ${byGroups(groupedBy)}` };
  },
  measure: () => 'score',
  shape: 'violin',
  address: scoreAddress,
  pictured: scorePictured,
});
