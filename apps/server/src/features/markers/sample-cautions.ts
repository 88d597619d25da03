import type { SampleChecks } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { countText, type ResultCaution as Caution, listedNames, pluralWord } from '@cellfolio/model';
import { sampleNoun, samplesText } from '../../runtime/sample-column.ts';
import { replicateTestWords } from '../../runtime/sample-replicates.ts';
import type { AllGroups } from '../group-sums/index.ts';
import type { MarkerQuestion } from './marker-question.ts';
import type { Markers } from './rank-markers.ts';
import type { MarkerChecks } from './tasks.ts';

export interface SampleFindings extends MarkerQuestion {
  groups: AllGroups;
  markers: Markers;
  checks: MarkerChecks;
}

export const maxNamesListed = 5;
export const maxGroupsListed = 60;

/** Share from which a group is reported to come from one sample. */
const nearlyAll = 0.9;

/**
 * Cells of a sample resemble each other, so a test that treats cells as replicates finds differences between samples
 * without any effect (Zimmerman, Espeland and Langefeld 2021; Squair and others 2021).
 */
export function sampleCautions(findings: SampleFindings): Caution[] {
  const { groups, checks } = findings;
  const { samples } = checks;
  if (!samples) return [unknownSamples(groups.cellCount)];
  const { column } = samples;
  if (samples.sampleCount < 2) return [oneSample(samples, groups.cellCount, column)];
  if (!findings.parameters.selection && findings.column === column)
    return [betweenSamples(samples, groups.cellCount, column)];
  return [
    cellsAsReplicates(findings, samples, column),
    ...fromOneSample(findings, { samples, names: samples.largestNames, column }),
  ];
}

function unknownSamples(cells: number): Caution {
  return {
    code: 'cells-as-replicates',
    message: `Each of ${countText(cells)} cells counts as a replicate, and no sample column is known: with few samples, p-values are too small. Add a column of samples.`,
    numbers: { cells },
  };
}

function oneSample({ groups, sampleCount }: SampleChecks, cells: number, column: string): Caution {
  const { one, many } = sampleNoun(column);
  return {
    code: 'cells-as-replicates',
    message: `Each of ${countText(cells)} cells counts as a replicate, but there is only 1 ${one}: p-values describe the cells of this ${one}, not other ${many}. Confirm markers in others.`,
    numbers: { cells, samples: sampleCount, groupCount: groups.length },
  };
}

function betweenSamples({ sampleCount }: SampleChecks, cells: number, column: string): Caution {
  const { many } = sampleNoun(column);
  const whatElse = many === 'patients' ? 'conditions' : 'patients or conditions';
  return {
    code: 'cells-as-replicates',
    message: `Each group is one of ${samplesText(sampleCount, column)}, and each of ${countText(cells)} cells counts as a replicate: p-values describe how these ${many} differ, not the ${whatElse} they represent. Compare those by pseudobulk.`,
    numbers: { cells, samples: sampleCount },
  };
}

function cellsAsReplicates(
  { groups, markers, selection }: SampleFindings,
  samples: SampleChecks,
  column: string,
): Caution {
  const {
    sampleCount,
    intraclassCorrelation: icc,
    effectiveCells,
    markerCount,
    testable,
    confirmed,
  } = samples;
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
      `Each of ${countText(groups.cellCount)} cells counts as a replicate, but there are only ${samplesText(sampleCount, column)}${likeness(samples)}.`,
      betweenSamplesOf(samples, { listed, untested, many: noun.many, manifest: selection.manifest }),
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
      kept: confirmed,
      keptAdjusted: samples.confirmedAdjusted,
      testedBy: samples.ofCounts ? 'counts' : 'values',
      genes: geneCount,
      groups: groups.names.slice(0, maxGroupsListed),
      groupSamples: samples.groups.slice(0, maxGroupsListed).map((group) => group.sampleCount),
    },
  };
}

function betweenSamplesOf(
  { markerCount, testable, confirmed, confirmedAdjusted: keptAdjusted, ofCounts }: SampleChecks,
  {
    listed,
    untested,
    many,
    manifest,
  }: {
    listed: number;
    untested: readonly string[];
    many: string;
    manifest: SampleFindings['selection']['manifest'];
  },
): string {
  if (testable === 0) {
    return `No marker can be tested between ${many}, which needs two with the group and two with other cells: confirm markers elsewhere.`;
  }
  const looked =
    markerCount < listed
      ? `the first ${countText(markerCount)} of ${countText(listed)}`
      : `the ${countText(listed)}`;
  const left =
    untested.length > 0 ? ` Too few ${many} to test ${listedNames(untested, maxNamesListed)}.` : '';
  return `Between ${many}, ${countText(confirmed)} of ${looked} markers ${pluralWord(confirmed, 'has', 'have')} p < 0.05, ${countText(keptAdjusted)} adjusted, ${replicateTestWords({ ofCounts }, manifest)}${left}`;
}

function likeness({ intraclassCorrelation: icc, effectiveCells }: SampleChecks): string {
  if (!(icc > 0)) return '';
  return `, worth about ${countText(Math.round(Math.max(1, effectiveCells)))} independent cells`;
}

function fromOneSample(
  { groups, markers }: SampleFindings,
  { samples, names, column }: { samples: SampleChecks; names: readonly string[]; column: string },
): Caution[] {
  const { one } = sampleNoun(column);
  const confined = markers.groups
    .map(({ name, group }) => ({ name, sample: names[group]!, share: samples.groups[group]!.largest.share }))
    .filter(({ share }) => share >= nearlyAll);
  if (confined.length === 0) return [];
  const descriptions = confined.map(
    ({ name, sample, share }) => `${name} (${percent(share)} from ${sample})`,
  );
  return [
    {
      code: 'groups-from-one-sample',
      message: `${confined.length === 1 ? 'One group comes' : `${confined.length} of ${groups.names.length} groups come`} almost wholly from one ${one}: ${listedNames(descriptions, maxNamesListed)}. Their markers may be specific to this ${one}: check them in others.`,
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
  const descriptions = apart.map(
    ({ column, names }) => `${columnTitle(column)}: ${listedNames(names, maxNamesListed)}`,
  );
  const confounded = [...new Set(apart.flatMap(({ names }) => names))];
  return [
    {
      code: 'batch-confounded',
      message: `${confounded.length === 1 ? '1 group shares' : `${confounded.length} of ${tested.length} groups share`} no batch with the cells compared with ${pluralWord(confounded.length, 'it', 'them')} (${descriptions.join('; ')}): markers may be differences between batches, and no test can separate them. Compare within a batch.`,
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
