import { z } from 'zod';
import {
  cells,
  common,
  count,
  counts,
  firstGroups,
  group,
  list,
  listed,
  number,
  percent,
  plotWords,
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
  numbers: z.object({
    kind: z.literal('embedding-density'),
    ...common,
    counts,
    axes: z.tuple([text, text]),
    groupTitle: text,
    groups: list(densityGroup),
    groupCount: count,
  }),
  sentences: ({ groups, groupCount, axes }) => {
    const left = groupCount - groups.length;
    return {
      findings: [
        ...(groups.length === 0 ? ['None of these cells is in a group.'] : []),
        ...groups.map((one) => reading(one, axes)),
      ],
      cautions: [
        'Densities are scaled from 0 to 1 in each group by itself: they say where its cells are, not that there are more of them than of another group.',
        "The kernel is Gaussian with Scott's bandwidth, the default of scipy and scanpy: the fewer cells a group has, the more it is smoothed.",
        ...smallGroups(groups),
        ...(left > 0 ? [`${whole(left)} smaller groups are not in the figure.`] : []),
        'Positions on a UMAP show neighbourhoods; distances between groups are not to scale.',
      ],
    };
  },
  firstRows: firstGroups,
  between: '\n',
});

function reading(
  { label, cells: all, problem, dense, peak, among }: z.output<typeof densityGroup>,
  [x, y]: readonly [string, string],
): string {
  const named = `${label} (${cells(all)})`;
  if (problem !== undefined || peak === null) return `${named}: ${problemText(problem ?? 'few')}`;
  const types = among.map((one) => `${one.label} (${percent(one.cells, dense)})`);
  const which = types.length > 0 ? `: ${listed(types)}` : '';
  return `${named}: densest near ${x} ${value(peak[0])}, ${y} ${value(peak[1])}. ${percent(dense, all)} of its cells lie where its density is ${denseFrom} or more${which}.`;
}
