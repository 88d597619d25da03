import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  cells,
  common,
  count,
  counts,
  firstGroups,
  group,
  groupName,
  list,
  listed,
  mapCautions,
  mapName,
  number,
  percent,
  plotWords,
  smallerLeftOut,
  smallGroups,
  text,
  value,
  whole,
} from '../plot-words.ts';
import { denseFrom, densityProblems, problemText } from './spec.ts';

const densityGroup = group.extend({
  problem: z.enum(densityProblems).optional(),
  dense: count,
  peak: z.tuple([number, number]).nullable(),
  among: z.array(group).max(10),
});

export const embeddingDensityWords = plotWords({
  kind: 'embedding-density',
  name: 'Density map',
  numbers: z.object({
    kind: z.literal('embedding-density'),
    ...common,
    counts,
    axes: z.tuple([text, text]),
    groupTitle: text,
    groups: list(densityGroup),
    groupCount: count,
  }),
  sentences: ({ groups, groupCount, groupTitle, counts: shown, axes }) => {
    const estimated = groups.filter(({ problem, peak }) => problem === undefined && peak !== null);
    const [first] = estimated.toSorted((a, b) => b.cells - a.cells);
    const all = groups.reduce((sum, one) => sum + one.cells, 0);
    const maps = groups.length === 1 ? 'The map shows' : `The ${whole(groups.length)} maps show`;
    return {
      reading: [
        groups.length === 0
          ? `There are 0 groups by ${groupTitle} to map on the ${mapName(axes)}.`
          : `${maps} where ${cells(all)} of ${plural(groups.length, 'group')} by ${groupTitle} lie on the ${mapName(axes)}, their density scaled from 0 to 1 in each group.`,
        groups.length === 0
          ? 'None of these cells is in a group.'
          : first === undefined
            ? 'No group has a density.'
            : `In ${estimated.length === 1 ? '' : 'the largest group, '}${groupName(first.label)}${estimated.length === 1 ? '' : ','} ${percent(first.dense, first.cells)} of ${cells(first.cells)} lie where its density is ${denseFrom} or more${mostOf(first)}.`,
      ],
      more: groups.map((one) => placeOf(one, axes)),
      cautions: [
        ...smallerLeftOut(groupCount - groups.length),
        ...mapCautions(shown),
        ...smallGroups(groups),
      ],
      general: [
        'Densities are scaled from 0 to 1 within each group: they show where its cells are, not how many there are.',
        "The kernel is Gaussian with Scott's bandwidth, the default of scipy and scanpy: the fewer cells a group has, the more it is smoothed.",
        'Positions on a UMAP show neighborhoods; distances between groups are not to scale.',
      ],
    };
  },
  firstRows: firstGroups,
  between: '\n',
});

function mostOf({ dense, among }: z.output<typeof densityGroup>): string {
  const [mostFrequent] = among;
  return mostFrequent === undefined
    ? ''
    : `; the most frequent type of these is ${groupName(mostFrequent.label)} (${percent(mostFrequent.cells, dense)})`;
}

function placeOf(
  { label, cells: all, problem, dense, peak, among }: z.output<typeof densityGroup>,
  [x, y]: readonly [string, string],
): string {
  const named = `${label} (${cells(all)})`;
  if (problem !== undefined || peak === null) return `${named}: ${problemText(problem ?? 'few')}`;
  const types = among.map((one) => `${one.label} (${percent(one.cells, dense)})`);
  const which = types.length > 0 ? `: ${listed(types)}` : '';
  return `${named}: densest near ${x} ${value(peak[0])}, ${y} ${value(peak[1])}. ${percent(dense, all)} of its cells lie where its density is ${denseFrom} or more${which}.`;
}
