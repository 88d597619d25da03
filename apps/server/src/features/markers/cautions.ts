import { columnTitle } from '@cellfolio/contract';
import {
  type ResultCaution as Caution,
  countText,
  isClustering,
  isOfExpression,
  listedNames,
  valueCautions,
  plural,
  pluralWord,
  unassignedCautions,
} from '@cellfolio/model';
import {
  batchCautions,
  maxGroupsListed,
  maxNamesListed,
  sampleCautions,
  type SampleFindings,
} from './sample-cautions.ts';
import type { FoundDepths } from '../../runtime/cell-depths.ts';
import { depthCautions } from '../../runtime/depth-cautions.ts';
import type { NamedCells } from '../group-sums/index.ts';
import { leadingCount, leadingGeneCautions } from '../../runtime/leading-genes.ts';
import { cutByExpression } from '../selection/index.ts';
import { fewCells, multipleTesting, pValuesAtBound, zerosIn } from '../../runtime/p-value-cautions.ts';

interface MarkerFindings extends SampleFindings {
  /**
   * Active cells without a value in the column, and those that are not compared because they lack a value to split by.
   */
  unlabelledCells: number;
  unassigned: readonly NamedCells[];
  withoutPart: number;
  symbols: readonly string[];
  /** Unless cells were brought to one depth, or it is not known how many counts they have: by stratum. */
  depths: FoundDepths | undefined;
}

/** Limits of the result that apply, each with its figures. */
export function markerCautions(findings: MarkerFindings): Caution[] {
  const listsGenes = findings.markers.groups.some(({ rows }) => rows.length > 0);
  return [
    ...valueCautions(findings.selection.manifest),
    ...(listsGenes
      ? [
          ...depthOfGroups(findings),
          ...sampleCautions(findings),
          ...batchCautions(findings),
          ...ownDataCaution(findings),
          ...selectionCaution(findings),
          ...cutByExpression(findings.selection),
        ]
      : []),
    ...splitCautions(
      findings.split && columnTitle(findings.split.column, findings.selection.own),
      findings.withoutPart,
    ),
    ...smallGroups(findings),
    ...leadingGeneCautions(leadingOf(findings)),
    ...(listsGenes ? [testsOf(findings)] : []),
    ...pValuesAtBound(findings.markers.groups.reduce((sum, { pvals }) => sum + zerosIn(pvals), 0)),
    ...findings.markers.warnings,
    ...unlabelled(findings),
    ...unassignedCautions(findings.unassigned, {
      column: columnTitle(findings.column, findings.selection.own),
      isLeftOut: findings.parameters.unassigned === 'left-out',
      otherwise: 'compared like the others, and their cells are in the references of all other groups',
    }),
    ...withoutMarkers(findings),
  ];
}

/** Only groups that have markers. */
function depthOfGroups({ depths, groups, markers }: MarkerFindings): Caution[] {
  if (!depths) return [];
  // Behind the groups of each stratum are its cells of none.
  const all = depths.sets.flatMap(({ counts, others }) =>
    Array.from(counts.subarray(0, -1), (own, group) => [own, others[group]!] as const),
  );
  const compared = markers.groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ group }) => {
      const [own, others] = all[group]!;
      return { group: groups.names[group]!, counts: own, others };
    });
  return depthCautions(compared, { of: ['the group', 'the others'], ofCounts: depths.ofCounts });
}

function leadingOf({ markers, symbols }: MarkerFindings) {
  return markers.groups.map(({ name: group, rows }) => ({
    group,
    genes: Array.from(rows.subarray(0, leadingCount), (row) => symbols[row] ?? String(row)),
  }));
}

function smallGroups({ markers }: MarkerFindings): Caution[] {
  const small = markers.groups.filter(({ cells }) => cells < fewCells);
  if (small.length === 0) return [];
  const names = small.map(({ name, cells }) => `${name} (${countText(cells)})`);
  return [
    {
      code: 'small-groups',
      message: `Fewer than ${fewCells} cells, marked with *: ${listedNames(names, maxNamesListed)}. Their p-values are not reliable: merge these groups, or leave them out.`,
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
  // In a split, some cells are compared nowhere anyway, and each group has its own reference.
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
      message: `No gene passes the limits for ${plural(empty.length, 'group')}: ${listedNames(empty, maxNamesListed)}. They may not differ from the others: merge them, or lower the limits.`,
      numbers: { groups: empty.slice(0, maxNamesListed), groupCount: empty.length },
    },
  ];
}

function testsOf({ markers, parameters, selection }: MarkerFindings): Caution {
  const { geneCount } = selection.manifest;
  return multipleTesting({
    tests: markers.groups.reduce((sum, { tested }) => sum + tested, 0),
    genes: geneCount,
    groups: markers.groups.length,
    over: `${countText(geneCount)} genes`,
    limit: parameters.pvals_adj,
    significant: markers.groups.reduce((sum, { markerCount }) => sum + markerCount, 0),
  });
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
  const { manifest } = selection;
  if (parameters.selection || !isOfExpression(manifest, column)) return [];
  const isClusters = isClustering(manifest, column);
  const kind = isClusters ? 'Clusters' : 'Cell types';
  const markerCount = markers.groups.reduce((sum, group) => sum + group.markerCount, 0);
  const smallEffects = markers.groups.reduce((sum, group) => sum + group.smallEffects, 0);
  const small =
    parameters.method === 'wilcoxon'
      ? 'fold change below 2, AUC below 0.7'
      : 'fold change below 2, shares of expressing cells less than 10 points apart';
  const { separation } = checks;
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
function selectionCaution({ parameters, groups }: MarkerFindings): Caution[] {
  if (!parameters.selection) return [];
  const [selected = 0, rest = 0] = groups.sizes;
  return [
    {
      code: 'selection-tested-on-own-data',
      message: `The ${countText(selected)} cells were selected on a map made from the expression that is tested: any region of a map has markers, and p-values are too small. Judge by effect, and confirm in other cells.`,
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

/** Scope and limits of a test within the categories of a second column. */
function splitCautions(title: string | undefined, withoutPart: number): Caution[] {
  if (title === undefined) return [];
  const cautions: Caution[] = [
    {
      code: 'within-categories',
      message: `Each group is compared with the other cells of the same category of ${title}. A marker in one category but not in another need not differ between them: test that with a comparison of these cells.`,
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
