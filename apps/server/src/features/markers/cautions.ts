import type { SampleChecks } from '@cellfolio/analysis';
import { columnTitle } from '@cellfolio/contract';
import { countText, type Caution } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import type { AllGroups } from './found-groups.ts';
import type { Markers } from './rank-markers.ts';
import { splitCautions } from './split-cautions.ts';
import type { MarkerChecks } from './tasks.ts';
import type { MarkerQuestion } from './marker-question.ts';
import { leadingCount, leadingGeneCautions } from '../../runtime/leading-genes.ts';
import { listedNames } from '../../runtime/listed-names.ts';
import { pValuesAtBound, zerosIn } from '../../runtime/p-values-at-bound.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';

/** All that cautions are written from. */
interface MarkerFindings extends MarkerQuestion {
  readonly groups: AllGroups;
  readonly markers: Markers;
  readonly checks: MarkerChecks;
  /** Active cells without a value in the column, and those that are compared nowhere for want of one to split by. */
  readonly unlabelledCells: number;
  readonly withoutPart: number;
  /** Of all genes. */
  readonly symbols: readonly string[];
}

/** Names in a caution before it says how many more there are. */
const maxNamesListed = 5;
/** Groups whose figures go with a caution. */
const maxGroupsListed = 60;

/** Groups of fewer cells are marked. */
export const fewCells = 10;

/** What limits a result, the gravest first: only what applies to it, each with its figures. */
export function markerCautions(known: MarkerFindings): Caution[] {
  const listsGenes = known.markers.groups.some(({ rows }) => rows.length > 0);
  return [
    ...notLogNormalised(known),
    ...(listsGenes ? [...sampleCautions(known), ...ownDataCaution(known), ...selectionCaution(known)] : []),
    ...splitCautions(known.split && columnTitle(known.split.column, known.selection.own), known.withoutPart),
    ...smallGroups(known),
    ...leadingGeneCautions(leadingOf(known)),
    ...pValuesAtBound(known.markers.groups.reduce((sum, { pvals }) => sum + zerosIn(pvals), 0)),
    ...known.markers.warnings,
    ...unlabelled(known),
    ...withoutMarkers(known),
  ];
}

function leadingOf({ markers, symbols }: MarkerFindings) {
  return markers.groups.map(({ name: group, rows }) => ({
    group,
    genes: Array.from(rows.subarray(0, leadingCount), (row) => symbols[row] ?? String(row)),
  }));
}

function notLogNormalised({ selection }: MarkerFindings): Caution[] {
  const { state } = selection.manifest.expression;
  if (state !== 'scaled' && state !== 'unknown') return [];
  return [
    {
      code: 'not-log-normalised',
      message: 'The dataset does not hold log-normalised values, so log fold changes may be wrong.',
    },
  ];
}

function smallGroups({ markers }: MarkerFindings): Caution[] {
  const small = markers.groups.filter(({ cells }) => cells < fewCells);
  if (small.length === 0) return [];
  const names = small.map(({ name, cells }) => `${name} (${cells})`);
  return [
    {
      code: 'small-groups',
      message: `Fewer than ${fewCells} cells, marked with *: ${listedNames(names, maxNamesListed)}. The p-values of so few cells are not reliable.`,
      numbers: {
        limit: fewCells,
        groups: small.slice(0, maxNamesListed).map(({ name }) => name),
        cells: small.slice(0, maxNamesListed).map(({ cells }) => cells),
        groupCount: small.length,
      },
    },
  ];
}

function unlabelled({
  selection,
  unlabelledCells,
  groups,
  column,
  split,
  parameters,
}: MarkerFindings): Caution[] {
  if (unlabelledCells === 0) return [];
  const isLeftOut = parameters.unlabelled === 'left-out';
  const labelled = isLeftOut ? groups.cellCount : groups.cellCount - unlabelledCells;
  const { cells, have, them } =
    unlabelledCells === 1
      ? { cells: '1 cell', have: 'has', them: 'It is' }
      : { cells: `${countText(unlabelledCells)} cells`, have: 'have', them: 'They are' };
  // Of a split, some of them are compared nowhere anyway, and each group has a reference of its own.
  const beside = split ? '' : `, beside ${countText(labelled)} with one`;
  const references = split
    ? 'in the reference of every group of their category'
    : `in the reference of every group, which ${countText(groups.cellCount)} cells form together`;
  return [
    {
      code: 'unlabelled-cells',
      message: `${cells} ${have} no value in ${columnTitle(column, selection.own)}${beside}. ${them} ${isLeftOut ? 'left out of every comparison.' : `${references}; they can be left out.`}`,
      numbers: { ...(!split && { labelled }), unlabelled: unlabelledCells, compared: groups.cellCount },
    },
  ];
}

function withoutMarkers({ markers }: MarkerFindings): Caution[] {
  const empty = markers.groups.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  if (empty.length === 0) return [];
  return [
    {
      code: 'groups-without-markers',
      message: `No gene passes the filters for: ${listedNames(empty, maxNamesListed)}. These groups may not differ from the others in any gene.`,
      numbers: { groups: empty.slice(0, maxNamesListed), groupCount: empty.length },
    },
  ];
}

/** From this part on a group is said to come from one sample. */
const nearlyAll = 0.9;

/**
 * Cells of a sample resemble each other, so a test that takes each cell for a replicate finds differences between
 * samples that no effect is behind (Zimmerman, Espeland and Langefeld 2021; Squair and others 2021).
 */
function sampleCautions(known: MarkerFindings): Caution[] {
  const { groups, checks, selection } = known;
  const { samples } = checks;
  if (!samples) return [unknownSamples(groups.cellCount)];
  if (samples.sampleCount < 2) return [oneSample(samples, groups.cellCount)];
  const column = sampleColumn(selection.manifest)?.column ?? '';
  if (!known.parameters.selection && known.column === column)
    return [betweenSamples(samples, groups.cellCount)];
  return [cellsAsReplicates(known, samples, column), ...fromOneSample(known, samples, samples.largestNames)];
}

function unknownSamples(cells: number): Caution {
  return {
    code: 'cells-as-replicates',
    message: `The p-values take each of ${countText(cells)} cells for a replicate, and no column is known to say which sample a cell is from. Where few samples were pooled, the p-values are too small.`,
    numbers: { cells },
  };
}

function oneSample({ groups, sampleCount }: SampleChecks, cells: number): Caution {
  return {
    code: 'cells-as-replicates',
    message: `The p-values take each of ${countText(cells)} cells for a replicate, but the cells are of one sample. They say how cells of this sample differ, and nothing about other samples.`,
    numbers: { cells, samples: sampleCount, groupCount: groups.length },
  };
}

function betweenSamples({ sampleCount }: SampleChecks, cells: number): Caution {
  return {
    code: 'cells-as-replicates',
    message: `Each group is one of ${countText(sampleCount)} samples, and the p-values take each of ${countText(cells)} cells for a replicate. They say how these samples differ, and nothing about patients or conditions that they stand for.`,
    numbers: { cells, samples: sampleCount },
  };
}

function cellsAsReplicates(
  { groups, markers, selection }: MarkerFindings,
  samples: SampleChecks,
  column: string,
): Caution {
  const { sampleCount, intraclassCorrelation: icc, effectiveCells, markerCount, testable, kept } = samples;
  const geneCount = selection.manifest.geneCount;
  const listed = markers.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const untested = groups.names.filter(
    (_, group) =>
      !samples.groups[group]!.isTestable &&
      markers.groups.some((one) => one.group === group && one.rows.length > 0),
  );
  return {
    code: 'cells-as-replicates',
    message: [
      `${countText(groups.cellCount)} cells of ${countText(sampleCount)} samples (${columnTitle(column)}) are tested as so many replicates.`,
      betweenMeans(samples, { listed, geneCount, untested }),
      likeness(samples),
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
      genes: geneCount,
      groups: groups.names.slice(0, maxGroupsListed),
      groupSamples: samples.groups.slice(0, maxGroupsListed).map((group) => group.sampleCount),
    },
  };
}

/** What is left of the markers with the samples as replicates. */
function betweenMeans(
  { markerCount, testable, kept, keptAdjusted }: SampleChecks,
  { listed, geneCount, untested }: { listed: number; geneCount: number; untested: readonly string[] },
): string {
  if (testable === 0) {
    return 'No marker can be tested with the samples as replicates: that takes two samples with the group and two with other cells.';
  }
  const looked =
    markerCount < listed
      ? `the first ${countText(markerCount)} of ${countText(listed)}`
      : `the ${countText(listed)}`;
  const left =
    untested.length > 0
      ? ` Too few samples to test ${untested.length === 1 ? 'the group' : 'the groups'} ${listedNames(untested, maxNamesListed)}.`
      : '';
  return `With samples as replicates, ${countText(kept)} of ${looked} markers listed ${kept === 1 ? 'has' : 'have'} p < 0.05, ${countText(keptAdjusted)} after adjustment for ${countText(geneCount)} genes (t-tests of the samples' means).${left}`;
}

/** How much less than independent cells the cells of a sample tell. */
function likeness({ intraclassCorrelation: icc, effectiveCells }: SampleChecks): string {
  if (!(icc > 0)) return 'Prefer markers that hold between samples.';
  return `Within a group, cells of one sample resemble each other (median intraclass correlation of these genes ${Number(icc.toPrecision(2))}): they tell as much as some ${countText(Math.round(Math.max(1, effectiveCells)))} independent cells. Prefer markers that hold between samples.`;
}

function fromOneSample(
  { groups, markers }: MarkerFindings,
  samples: SampleChecks,
  names: readonly string[],
): Caution[] {
  const confined = markers.groups
    .map(({ name, group }) => ({ name, sample: names[group]!, share: samples.groups[group]!.largest.share }))
    .filter(({ share }) => share >= nearlyAll);
  if (confined.length === 0) return [];
  const said = confined.map(({ name, sample, share }) => `${name} (${percent(share)} from ${sample})`);
  return [
    {
      code: 'groups-from-one-sample',
      message: `${confined.length === 1 ? 'One group comes' : `${confined.length} of ${groups.names.length} groups come`} almost wholly from one sample: ${listedNames(said, maxNamesListed)}. Their markers may be those of the sample.`,
      numbers: {
        groupCount: confined.length,
        groups: confined.slice(0, maxNamesListed).map(({ name }) => name),
        samples: confined.slice(0, maxNamesListed).map(({ sample }) => sample),
        shares: confined.slice(0, maxNamesListed).map(({ share }) => Number(share.toFixed(4))),
      },
    },
  ];
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/**
 * Clusters were formed so that expression differs between them; a test of the same expression then finds differences
 * also where the cells have no structure (Gao, Bien and Witten 2022; Neufeld and others 2023; Song and others 2023).
 */
function ownDataCaution({
  selection,
  column,
  parameters,
  markers,
  groups,
  checks,
}: MarkerFindings): Caution[] {
  if (parameters.selection || !isClustering(selection.manifest, column)) return [];
  const passing = markers.groups.reduce((sum, group) => sum + group.passing, 0);
  const smallEffects = markers.groups.reduce((sum, group) => sum + group.smallEffects, 0);
  const small =
    parameters.method === 'wilcoxon'
      ? 'a fold change below 2 and an AUC below 0.7'
      : 'a fold change below 2 and shares of expressing cells less than 10 percentage points apart';
  const { separation } = checks;
  const lowest = separation ? lowestOf(separation.groups) : undefined;
  const apart =
    separation && lowest !== undefined
      ? ` Mean silhouette of the clusters, simplified (distances to centroids), in ${separation.embedding} (${separation.dimensions} dimensions${separation.dimensions === 2 ? ', in which clusters look more separate than they are' : ''}): ${separation.mean.toFixed(2)}, lowest in ${groups.names[lowest]!} (${separation.groups[lowest]!.toFixed(2)}); 0 is not separate, 1 far apart.`
      : '';
  return [
    {
      code: 'clusters-tested-on-own-data',
      message: `The clusters of ${columnTitle(column, selection.own)} are tested on the expression that formed them: p-values are too small, and ${countText(smallEffects)} of the ${countText(passing)} markers that pass the limits ${smallEffects === 1 ? 'has' : 'have'} a small effect (${small}). Clusters without a real difference have markers, too.${apart} Judge by the effect, and confirm in other cells.`,
      numbers: {
        passing,
        smallEffects,
        ...(separation &&
          lowest !== undefined && {
            silhouette: rounded(separation.mean),
            silhouetteCells: separation.cellCount,
            embedding: separation.embedding,
            dimensions: separation.dimensions,
            groups: groups.names.slice(0, maxGroupsListed),
            groupSilhouettes: Array.from(separation.groups.subarray(0, maxGroupsListed), rounded),
          }),
      },
    },
  ];
}

/** Who selects cells by eye selects those that lie together, and they do because their expression is alike. */
function selectionCaution({ parameters, groups }: MarkerFindings): Caution[] {
  if (!parameters.selection) return [];
  const [selected = 0, rest = 0] = groups.sizes;
  return [
    {
      code: 'selection-tested-on-own-data',
      message: `The ${countText(selected)} cells were selected on the map, which is made from the expression that is tested on them and the ${countText(rest)} others: the reasoning is circular, and p-values are too small. Any part of a map has markers. Judge by the effect, and confirm in other cells.`,
      numbers: { selected, rest },
    },
  ];
}

function lowestOf(values: Float64Array): number | undefined {
  let lowest: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i]!) && (lowest === undefined || values[i]! < values[lowest]!)) lowest = i;
  }
  return lowest;
}

/** JSON has no NaN. */
function rounded(value: number): number | string {
  return Number.isNaN(value) ? '' : Number(value.toFixed(4));
}

/** Names that scanpy, Seurat and their users give to clusterings of expression. */
const clusterName = /leiden|louvain|cluster|phenograph|(^|_)(snn|rna)_res/i;

/** Whether a column of obs is a clustering of the cells by their own expression, by its part or by its name. */
export function isClustering({ roles }: Pick<DatasetManifest, 'roles'>, column: string): boolean {
  return column === roles.cluster || clusterName.test(column);
}
