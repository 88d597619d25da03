import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  cells,
  common,
  comparable,
  count,
  group,
  groupName,
  inUnit,
  list,
  listed,
  named,
  number,
  percent,
  type Sentences,
  smallerLeftOut,
  smallGroups,
  text,
  value,
  whole,
} from '../../plot-words.ts';

export const violinGroup = group.extend({
  mean: number,
  quartiles: z.tuple([number, number, number]).nullable(),
  range: z.tuple([number, number]).nullable(),
});
export const violinNumbers = { ...common, unit: text, groupTitle: text, groupCount: count };

export const sampleMeans = list(z.object({ mean: number, cells: count }));
export const samplesShown = z.object({
  title: text,
  count,
  means: count,
  leastCells: count,
  leftOut: count,
  largest: count.optional(),
});

type Group = z.output<typeof violinGroup> & {
  expressing?: number | undefined;
  samples?: z.output<typeof sampleMeans> | undefined;
};

/** Sentences about violins; `notScored` for a score only, `expressing` for a gene; `shapes` names what is drawn. */
export function violinSentences({
  title,
  groupTitle,
  shapes = 'violins',
  groups,
  unit,
  groupCount,
  notScored = 0,
  samples,
}: {
  title: string;
  groupTitle: string;
  shapes?: string;
  groups: readonly Group[];
  unit: string;
  groupCount: number;
  notScored?: number;
  samples?: z.output<typeof samplesShown> | undefined;
}): Sentences {
  const ranked = groups
    .filter(({ mean }) => mean !== null)
    .toSorted((a, b) => b.mean! - a.mean! || b.cells - a.cells);
  const [top, second] = ranked;
  const last = ranked.at(-1);
  const expressing = (of: Group) =>
    of.expressing === undefined
      ? `, ${cells(of.cells)}`
      : `, ${percent(of.expressing, of.cells)} of ${cells(of.cells)} express it`;
  const fullPhrase = (of: Group) =>
    `${of.label} (mean ${value(of.mean)}, median ${value(of.quartiles?.[1] ?? null)}${expressing(of)})`;
  const extremes = (of: readonly Group[]) => {
    const { sure, the } = comparable(of);
    const groupPhrase = ({ label, mean, ...rest }: Group) =>
      `${groupName(label)} (${value(mean)}${expressing({ label, mean, ...rest })})`;
    const all = (one: Group) => {
      const tied = sure.filter(({ mean }) => value(mean) === value(one.mean));
      return tied.length === 1
        ? groupPhrase(one)
        : `${plural(tied.length, 'group')} (${value(one.mean)} each)`;
    };
    return `${the} mean is highest in ${all(sure[0]!)} and lowest in ${all(sure.at(-1)!)}.`;
  };
  const hidden = groupCount - groups.length;
  const all = groups.reduce((sum, group) => sum + group.cells, 0);
  return {
    reading: [
      `The ${shapes} show ${title}${inUnit(unit, title)} in ${cells(all)} of ${plural(groups.length, 'group')} by ${groupTitle}.`,
      !top || !last
        ? 'No group has a value.'
        : ranked.length === 1
          ? `In ${groupName(top.label)} (${expressing(top).slice(2)}) the mean is ${value(top.mean)} and the median ${value(top.quartiles?.[1] ?? null)}.`
          : value(top.mean) === value(last.mean)
            ? `The mean is ${top.mean === last.mean ? '' : 'about '}${value(top.mean)} in each group.`
            : extremes(ranked),
    ],
    more:
      !top || !last
        ? []
        : [
            ...(ranked.length > 2
              ? [
                  `By mean${inUnit(unit, title)}, highest first: ${listed(ranked.slice(0, named).map(fullPhrase))}.`,
                ]
              : []),
            // Both means are on one scale, that of a logarithm or of a score: they are subtracted, not divided.
            ...(second
              ? [
                  `The mean in ${top.label} is ${value(top.mean! - second.mean!)} above that of the next group.`,
                ]
              : []),
            ...(samples === undefined ? [] : sampleFindings(ranked, unit)),
          ],
    cautions: [
      ...smallerLeftOut(hidden),
      ...(notScored > 0 ? [`${cells(notScored)} could not be scored.`] : []),
      ...(samples === undefined ? [] : sampleCautions(samples)),
      ...smallGroups(groups),
    ],
    general: [
      'These describe the cells and are not tests: Marker Analysis tests differences between groups.',
    ],
  };
}

function sampleFindings(ranked: readonly Group[], unit: string): string[] {
  const phrases = ranked.slice(0, named).flatMap(({ label, samples = [] }) => {
    const means = samples.flatMap(({ mean }) => mean ?? []);
    if (means.length === 0) return [];
    if (means.length === 1) return [`${label} ${value(means[0]!)} (1 sample)`];
    const { low, high, deviation } = spreadOf(means);
    return [
      `${label} ${value(low)} to ${value(high)} (${whole(means.length)} samples, standard deviation ${value(deviation)})`,
    ];
  });
  if (phrases.length === 0) return ['No sample has enough cells for a mean.'];
  return [`Means of samples${inUnit(unit)}: ${listed(phrases)}.`];
}

/** Range and standard deviation (n - 1) of at least two numbers. */
function spreadOf(means: readonly number[]) {
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  const squares = means.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return {
    low: Math.min(...means),
    high: Math.max(...means),
    deviation: Math.sqrt(squares / (means.length - 1)),
  };
}

function sampleCautions({ title, leastCells, leftOut }: z.output<typeof samplesShown>): string[] {
  return [
    ...(leftOut > 0
      ? [
          `${plural(leftOut, 'sample of a group has', 'samples of groups have')} fewer than ${leastCells} cells, and no mean here.`,
        ]
      : []),
    `Cells of one sample (${title}) are not independent: the spread of the sample means says more about a difference than the number of cells.`,
  ];
}
