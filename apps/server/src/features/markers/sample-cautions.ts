import type { SampleChecks } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { countText, type Caution, listedNames } from '@cellfolio/model';
import { sampleNoun, samplesText } from '../../runtime/sample-column.ts';
import { replicateTestWords } from '../../runtime/sample-replicates.ts';
import type { AllGroups } from './found-groups.ts';
import type { MarkerQuestion } from './marker-question.ts';
import type { Markers } from './rank-markers.ts';
import type { MarkerChecks } from './tasks.ts';

/** What is known of the samples and batches of the cells. */
export interface SampleFindings extends MarkerQuestion {
  readonly groups: AllGroups;
  readonly markers: Markers;
  readonly checks: MarkerChecks;
}

/** Names in a caution before it says how many more there are. */
export const maxNamesListed = 5;
/** Groups whose figures go with a caution. */
export const maxGroupsListed = 60;

/** From this part on a group is said to come from one sample. */
const nearlyAll = 0.9;

/**
 * Cells of a sample resemble each other, so a test that takes each cell for a replicate finds differences between
 * samples that no effect is behind (Zimmerman, Espeland and Langefeld 2021; Squair and others 2021).
 */
export function sampleCautions(known: SampleFindings): Caution[] {
  const { groups, checks } = known;
  const { samples } = checks;
  if (!samples) return [unknownSamples(groups.cellCount)];
  const { column } = samples;
  if (samples.sampleCount < 2) return [oneSample(samples, groups.cellCount, column)];
  if (!known.parameters.selection && known.column === column)
    return [betweenSamples(samples, groups.cellCount, column)];
  return [
    cellsAsReplicates(known, samples, column),
    ...fromOneSample(known, { samples, names: samples.largestNames, column }),
  ];
}

function unknownSamples(cells: number): Caution {
  return {
    code: 'cells-as-replicates',
    message: `The p-values take each of ${countText(cells)} cells for a replicate, and no column is known to say which sample a cell is from. Where few samples were pooled, the p-values are too small.`,
    numbers: { cells },
  };
}

function oneSample({ groups, sampleCount }: SampleChecks, cells: number, column: string): Caution {
  const { one, many } = sampleNoun(column);
  return {
    code: 'cells-as-replicates',
    message: `The p-values take each of ${countText(cells)} cells for a replicate, but the cells are of one ${one}. They say how cells of this ${one} differ, and nothing about other ${many}.`,
    numbers: { cells, samples: sampleCount, groupCount: groups.length },
  };
}

function betweenSamples({ sampleCount }: SampleChecks, cells: number, column: string): Caution {
  const { many } = sampleNoun(column);
  const whatElse = many === 'patients' ? 'conditions' : 'patients or conditions';
  return {
    code: 'cells-as-replicates',
    message: `Each group is one of ${samplesText(sampleCount, column)}, and the p-values take each of ${countText(cells)} cells for a replicate. They say how these ${many} differ, and nothing about ${whatElse} that they stand for.`,
    numbers: { cells, samples: sampleCount },
  };
}

function cellsAsReplicates(
  { groups, markers, selection }: SampleFindings,
  samples: SampleChecks,
  column: string,
): Caution {
  const { sampleCount, intraclassCorrelation: icc, effectiveCells, markerCount, testable, kept } = samples;
  const geneCount = selection.manifest.geneCount;
  const noun = sampleNoun(column);
  const listed = markers.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const untested = groups.names.filter(
    (_, group) =>
      !samples.groups[group]!.isTestable &&
      markers.groups.some((one) => one.group === group && one.rows.length > 0),
  );
  return {
    code: 'cells-as-replicates',
    message: [
      `${countText(groups.cellCount)} cells of ${samplesText(sampleCount, column)} are tested as so many replicates.`,
      betweenSamplesOf(samples, {
        listed,
        geneCount,
        untested,
        many: noun.many,
        manifest: selection.manifest,
      }),
      likeness(samples, noun),
    ].join(' '),
    numbers: {
      cells: groups.cellCount,
      samples: sampleCount,
      sampleColumn: column,
      withoutSample: groups.cellCount - samples.cellCount,
      ...(!Number.isNaN(icc) && {
        intraclassCorrelation: Number(icc.toFixed(4)),
        effectiveCells: Number(effectiveCells.toFixed(1)),
      }),
      listed,
      checked: markerCount,
      testable,
      kept,
      keptAdjusted: samples.keptAdjusted,
      testedBy: samples.ofCounts ? 'counts' : 'values',
      genes: geneCount,
      groups: groups.names.slice(0, maxGroupsListed),
      groupSamples: samples.groups.slice(0, maxGroupsListed).map((group) => group.sampleCount),
    },
  };
}

/** What is left of the markers with the samples as replicates. */
function betweenSamplesOf(
  { markerCount, testable, kept, keptAdjusted, ofCounts }: SampleChecks,
  {
    listed,
    geneCount,
    untested,
    many,
    manifest,
  }: {
    listed: number;
    geneCount: number;
    untested: readonly string[];
    many: string;
    manifest: SampleFindings['selection']['manifest'];
  },
): string {
  if (testable === 0) {
    return `No marker can be tested with the ${many} as replicates: that takes two ${many} with the group and two with other cells.`;
  }
  const looked =
    markerCount < listed
      ? `the first ${countText(markerCount)} of ${countText(listed)}`
      : `the ${countText(listed)}`;
  const left =
    untested.length > 0
      ? ` Too few ${many} to test ${untested.length === 1 ? 'the group' : 'the groups'} ${listedNames(untested, maxNamesListed)}.`
      : '';
  return `With ${many} as replicates, ${countText(kept)} of ${looked} markers listed ${kept === 1 ? 'has' : 'have'} p < 0.05, ${countText(keptAdjusted)} after adjustment for ${countText(geneCount)} genes ${replicateTestWords({ ofCounts }, many, manifest)}${left}`;
}

/** How much less than independent cells the cells of a sample tell. */
function likeness(
  { intraclassCorrelation: icc, effectiveCells }: SampleChecks,
  { one, many }: ReturnType<typeof sampleNoun>,
): string {
  if (!(icc > 0)) return `Prefer markers that hold between ${many}.`;
  return `Within a group, cells of one ${one} resemble each other (median intraclass correlation of these genes ${Number(icc.toPrecision(2))}): they tell as much as some ${countText(Math.round(Math.max(1, effectiveCells)))} independent cells. Prefer markers that hold between ${many}.`;
}

function fromOneSample(
  { groups, markers }: SampleFindings,
  {
    samples,
    names,
    column,
  }: { readonly samples: SampleChecks; readonly names: readonly string[]; readonly column: string },
): Caution[] {
  const { one } = sampleNoun(column);
  const confined = markers.groups
    .map(({ name, group }) => ({ name, sample: names[group]!, share: samples.groups[group]!.largest.share }))
    .filter(({ share }) => share >= nearlyAll);
  if (confined.length === 0) return [];
  const said = confined.map(({ name, sample, share }) => `${name} (${percent(share)} from ${sample})`);
  return [
    {
      code: 'groups-from-one-sample',
      message: `${confined.length === 1 ? 'One group comes' : `${confined.length} of ${groups.names.length} groups come`} almost wholly from one ${one}: ${listedNames(said, maxNamesListed)}. Their markers may be those of the ${one}.`,
      numbers: {
        groupCount: confined.length,
        groups: confined.slice(0, maxNamesListed).map(({ name }) => name),
        samples: confined.slice(0, maxNamesListed).map(({ sample }) => sample),
        shares: confined.slice(0, maxNamesListed).map(({ share }) => Number(share.toFixed(4))),
      },
    },
  ];
}

export function batchCautions({ checks: { batches = [] }, groups, markers }: SampleFindings): Caution[] {
  const tested = markers.groups.map(({ group }) => group);
  const apart = batches
    .map(({ column, apart: of }) => ({ column, names: tested.filter((group) => of.includes(group)) }))
    .filter(({ names }) => names.length > 0)
    .map(({ column, names }) => ({ column, names: names.map((group) => groups.names[group]!) }));
  if (apart.length === 0) return [];
  const said = apart.map(
    ({ column, names }) => `${columnTitle(column)}: ${listedNames(names, maxNamesListed)}`,
  );
  const confounded = [...new Set(apart.flatMap(({ names }) => names))];
  return [
    {
      code: 'batch-confounded',
      message: `${confounded.length === 1 ? '1 group shares' : `${confounded.length} of ${tested.length} groups share`} no batch with the cells compared with ${confounded.length === 1 ? 'it' : 'them'} (${said.join('; ')}): markers may be the difference between batches, and no test of these cells can tell the two apart.`,
      numbers: {
        columns: apart.slice(0, maxNamesListed).map(({ column }) => column),
        groups: confounded.slice(0, maxGroupsListed),
        groupCount: confounded.length,
      },
    },
  ];
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
