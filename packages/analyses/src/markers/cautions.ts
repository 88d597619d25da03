import type { SampleChecks } from '@cellfolio/analysis';
import {
  countText,
  isClustering,
  isOfExpression,
  listedNames,
  plural,
  pluralWord,
  type ResultCaution as Caution,
  unassignedCautions,
  valueCautions,
} from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import type { ComparedGroups, Context } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { type CountsPerCell, depthCautions } from '../depth-cautions.ts';
import { leadingCount, leadingGeneCautions } from '../leading-genes.ts';
import {
  fewCells,
  multipleTesting,
  pValuesAtBound,
  sparseGenes,
  unevenTTest,
  zerosIn,
} from '../p-value-cautions.ts';
import { replicateTestWords, sampleNoun, samplesText } from '../sample-words.ts';
import type { AllGroups, CheckedMarkers, MarkerChecks } from './compute.ts';
import { type markers as declared, type MarkersRequest, referenceName } from './declare.ts';
import { type RankedMarkers, totalOf } from './ranking.ts';

/** A test of groups and what was checked of its markers. */
export interface Findings {
  readonly request: MarkersRequest;
  readonly compared: ComparedGroups;
  readonly groups: AllGroups;
  readonly markers: RankedMarkers;
  readonly checks: MarkerChecks;
  /** By stratum; undefined where cells were brought to one depth, and where nothing says how many counts they have. */
  readonly counts: CountsPerCell | undefined;
}

type Services = Pick<Context, 'dataset' | 'titleOf' | 'filterCautions'>;
type Coded = CodedCaution<(typeof declared)['cautions']>;

const maxNamesListed = 5;
const maxGroupsListed = 60;
/** Share from which a group is reported to come from one sample. */
const nearlyAll = 0.9;

/** Limits of the result that apply, each with its figures. */
export function cautionsOf(findings: Findings, context: Services): (Coded | Caution)[] {
  const { request, compared, markers } = findings;
  const { symbols } = context.dataset;
  const listsGenes = markers.groups.some(({ rows }) => rows.length > 0);
  const leading = markers.groups.map(({ name: group, rows }) => ({
    group,
    genes: Array.from(rows.subarray(0, leadingCount), (row) => symbols[row] ?? String(row)),
  }));
  return [
    ...valueCautions(context.dataset),
    ...(listsGenes
      ? [
          ...depthOfGroups(findings),
          ...sampleCautions(findings, context),
          ...batchCautions(findings),
          ...ownDataCaution(findings, context),
          ...selectionCaution(findings),
          ...context.filterCautions(),
        ]
      : []),
    ...splitCautions(compared, request, context),
    ...smallGroups(markers),
    ...tTests(findings),
    ...sparseGenes({
      sparse: totalOf(markers.groups, 'sparseMarkers'),
      significant: totalOf(markers.groups, 'markerCount'),
      limit: request.pvals_adj,
    }),
    ...leadingGeneCautions(leading),
    ...(listsGenes ? [testsOf(findings, symbols.length)] : []),
    ...pValuesAtBound(markers.groups.reduce((sum, { pvals }) => sum + zerosIn(pvals), 0)),
    ...markers.warnings,
    ...unlabelled(findings, context),
    ...unassignedCautions(compared.unassigned, {
      column: context.titleOf(compared.by.column),
      isLeftOut: request.unassigned === 'left-out',
      otherwise: `compared like the others${request.reference === undefined ? ', and their cells are in the references of all other groups' : ''}`,
    }),
    ...withoutMarkers(markers),
  ];
}

/** Only groups that have markers. */
function depthOfGroups({ counts, groups, markers, request, compared: { strata } }: Findings): Caution[] {
  if (!counts) return [];
  // Behind the groups of each stratum are its cells of none.
  const all = counts.sets.flatMap(({ counts: own, others }, at) => {
    const reference = strata[at]?.reference;
    return Array.from(
      own.subarray(0, -1),
      (count, group) => [count, reference === undefined ? others[group]! : own[reference]!] as const,
    );
  });
  const compared = markers.groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ group }) => {
      const [own, others] = all[group]!;
      return { group: groups.names[group]!, counts: own, others };
    });
  return depthCautions(compared, { of: ['the group', referenceName(request)], ofCounts: counts.ofCounts });
}

function smallGroups({ groups }: RankedMarkers): Coded[] {
  const small = groups.filter(({ cells }) => cells < fewCells);
  if (small.length === 0) return [];
  const listed = small.slice(0, maxNamesListed);
  const numbers = {
    limit: fewCells,
    groups: listed.map(({ name }) => name),
    cells: listed.map(({ cells }) => cells),
    groupCount: small.length,
  };
  return [{ code: 'small-groups', numbers }];
}

/** Share of the tests from which one side without variance is reported. */
const manyFlat = 0.05;

/**
 * Few cells of a gene that few express often all lack it. Welch's test then has the variance of the other side alone: of
 * mostly unchanged genes of simulated screens, 22 % passed.
 */
function flatSides({ request, markers: { groups } }: Findings): Coded[] {
  const [flat, tested] = [totalOf(groups, 'flat'), totalOf(groups, 'tested')];
  const significant = totalOf(groups, 'flatSignificant');
  if (request.reference === undefined || significant === 0 || flat < manyFlat * tested) return [];
  return [{ code: 'flat-side', numbers: { flat, tested, significant, limit: request.pvals_adj } }];
}

/** Once: a side without variance is the graver form of few cells against many. */
function tTests(findings: Findings): (Coded | Caution)[] {
  const flat = flatSides(findings);
  if (flat.length > 0) return flat;
  const { markers, request } = findings;
  const withMarkers = markers.groups.filter(({ rows }) => rows.length > 0);
  return unevenTTest(
    request.method,
    withMarkers.map(({ name, cells, others }) => ({ name, cells, others })),
  );
}

function unlabelled({ request, compared, groups }: Findings, { titleOf }: Services): Caution[] {
  const { unlabelledCells, split, by } = compared;
  if (unlabelledCells === 0) return [];
  const isLeftOut = request.unlabelled === 'left-out' || request.reference !== undefined;
  const labelled = isLeftOut ? groups.cellCount : groups.cellCount - unlabelledCells;
  const { cells, have, them } =
    unlabelledCells === 1
      ? { cells: '1 cell', have: 'has', them: 'It is' }
      : { cells: `${countText(unlabelledCells)} cells`, have: 'have', them: 'They are' };
  // In a split, some cells are compared nowhere anyway, and each group has its own reference.
  const beside = split ? '' : `, beside ${countText(labelled)} with one`;
  const references = split
    ? 'in the reference of every group of their category'
    : `in the reference of every group, which ${countText(groups.cellCount)} cells form together`;
  return [
    {
      code: 'unlabelled-cells',
      message: `${cells} ${have} no value in ${titleOf(by.column)}${beside}. ${them} ${isLeftOut ? 'left out of every comparison.' : `${references}; they can be left out.`}`,
      numbers: { ...(!split && { labelled }), unlabelled: unlabelledCells, compared: groups.cellCount },
    },
  ];
}

function withoutMarkers({ groups }: RankedMarkers): Coded[] {
  const empty = groups.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  if (empty.length === 0) return [];
  const numbers = { groups: empty.slice(0, maxNamesListed), groupCount: empty.length };
  return [{ code: 'groups-without-markers', numbers }];
}

function testsOf({ markers: { groups }, request }: Findings, genes: number): Caution {
  return multipleTesting({
    tests: groups.reduce((sum, { tested }) => sum + tested, 0),
    genes,
    groups: groups.length,
    over: `${countText(genes)} genes`,
    limit: request.pvals_adj,
    significant: groups.reduce((sum, { markerCount }) => sum + markerCount, 0),
  });
}

/**
 * Clusters were formed so that expression differs between them; a test of the same expression then finds differences
 * also where the cells have no structure (Gao, Bien and Witten 2022; Neufeld and others 2023; Song and others 2023).
 */
function ownDataCaution(
  { request, compared, markers, groups, checks: { separation } }: Findings,
  { dataset }: Services,
): Caution[] {
  const { column } = compared.by;
  if (request.selection || !isOfExpression(dataset, column)) return [];
  const isClusters = isClustering(dataset, column);
  const kind = isClusters ? 'Clusters' : 'Cell types';
  const markerCount = markers.groups.reduce((sum, group) => sum + group.markerCount, 0);
  const smallEffects = markers.groups.reduce((sum, group) => sum + group.smallEffects, 0);
  const small =
    request.method === 'wilcoxon'
      ? 'fold change below 2, AUC below 0.7'
      : 'fold change below 2, shares of expressing cells less than 10 points apart';
  const lowest = separation ? lowestOf(separation.groups) : undefined;
  const apart =
    separation && lowest !== undefined
      ? ` Least separate: ${groups.names[lowest]!} (silhouette ${separation.groups[lowest]!.toFixed(2)}).`
      : '';
  return [
    {
      code: 'clusters-tested-on-own-data',
      message: `${kind} are tested on the expression that ${isClusters ? 'formed' : 'defines'} them: p-values are too small, and ${countText(smallEffects)} of ${countText(markerCount)} markers ${pluralWord(smallEffects, 'has', 'have')} a small effect (${small}). Judge by effect; confirm elsewhere.${apart}`,
      numbers: {
        passing: markerCount,
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

/** Cells selected by eye lie together because their expression is alike. */
function selectionCaution({ request, groups }: Findings): Coded[] {
  if (!request.selection) return [];
  const [selected = 0, rest = 0] = groups.sizes;
  return [{ code: 'selection-tested-on-own-data', numbers: { selected, rest } }];
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

/** Scope and limits of a test within the categories of a second column. */
function splitCautions(
  { split, withoutPart }: ComparedGroups,
  { reference }: MarkersRequest,
  { titleOf }: Services,
): Caution[] {
  if (split === undefined) return [];
  const title = titleOf(split.column);
  const cautions: Caution[] = [
    {
      code: 'within-categories',
      message: `Each group is compared with ${reference === undefined ? 'the other cells' : reference} of the same category of ${title}. A marker in one category but not in another need not differ between them: test that with a comparison of these cells.`,
    },
  ];
  if (withoutPart > 0) {
    const cells = plural(withoutPart, 'cell has', 'cells have');
    cautions.push({
      code: 'cells-without-category',
      message: `${cells} no value in ${title} and ${pluralWord(withoutPart, 'is', 'are')} in no comparison: label them to include them.`,
      numbers: { cells: withoutPart },
    });
  }
  return cautions;
}

/**
 * Cells of a sample resemble each other, so a test that treats cells as replicates finds differences between samples
 * without any effect (Zimmerman, Espeland and Langefeld 2021; Squair and others 2021).
 */
function sampleCautions(findings: Findings, context: Services): Caution[] {
  const { groups, request, compared } = findings;
  const { samples } = findings.checks;
  if (!samples) return [unknownSamples(groups.cellCount)];
  const { column } = samples;
  if (samples.sampleCount < 2) return [oneSample(samples, groups.cellCount, column)];
  if (!request.selection && compared.by.column === column)
    return [betweenSamples(samples, groups.cellCount, column)];
  return [cellsAsReplicates(findings, samples, context), ...fromOneSample(findings, samples)];
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
  { groups, markers, request: { reference } }: Findings,
  samples: CheckedMarkers,
  { dataset }: Services,
): Caution {
  const { column, sampleCount, intraclassCorrelation: icc, effectiveCells, testable } = samples;
  const { markerCount, confirmed } = samples;
  const listed = markers.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const withMarkers = new Set(markers.groups.filter(({ rows }) => rows.length > 0).map(({ group }) => group));
  const untested = groups.names.filter(
    (_, group) => !samples.groups[group]!.isTestable && withMarkers.has(group),
  );
  return {
    code: 'cells-as-replicates',
    message: [
      `Each of ${countText(groups.cellCount)} cells counts as a replicate, but there are only ${samplesText(sampleCount, column)}${likeness(samples)}.`,
      betweenSamplesOf(samples, { listed, untested, many: sampleNoun(column).many, reference }, dataset),
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
      genes: dataset.symbols.length,
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
    reference,
  }: {
    readonly listed: number;
    readonly untested: readonly string[];
    readonly many: string;
    readonly reference: string | undefined;
  },
  dataset: Services['dataset'],
): string {
  if (testable === 0) {
    return `No marker can be tested between ${many}, which needs two with the group and two with ${reference === undefined ? 'other cells' : reference}: confirm markers elsewhere.`;
  }
  const looked =
    markerCount < listed
      ? `the first ${countText(markerCount)} of ${countText(listed)}`
      : `the ${countText(listed)}`;
  const left =
    untested.length > 0 ? ` Too few ${many} to test ${listedNames(untested, maxNamesListed)}.` : '';
  return `Between ${many}, ${countText(confirmed)} of ${looked} markers ${pluralWord(confirmed, 'has', 'have')} p < 0.05, ${countText(keptAdjusted)} adjusted, ${replicateTestWords({ ofCounts }, dataset)}${left}`;
}

function likeness({ intraclassCorrelation: icc, effectiveCells }: SampleChecks): string {
  if (!(icc > 0)) return '';
  return `, worth about ${countText(Math.round(Math.max(1, effectiveCells)))} independent cells`;
}

function fromOneSample({ groups, markers }: Findings, samples: CheckedMarkers): Caution[] {
  const { column, largestNames: names } = samples;
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

function batchCautions({ checks: { batches = [] }, groups, markers }: Findings): Caution[] {
  const tested = markers.groups.map(({ group }) => group);
  const apart = batches
    .map(({ column, apart: of }) => ({ column, apart: new Set(of) }))
    .map(({ column, apart: of }) => ({ column, names: tested.filter((group) => of.has(group)) }))
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
