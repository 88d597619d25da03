import type { CellTypeRequest, DatasetAnalysis } from '@cellfolio/contract';
import { abridgedMarkers, cellTypeRequest, csvCell, maxOwnMarkersLength } from '@cellfolio/contract';
import {
  areValid,
  isRefusedList,
  numberOrZero,
  numberParameter,
  type OfferedList,
  ownListChoice,
  ownListProblem,
  shareOf,
  standardsOf,
} from '@/features/analyses/index.ts';
import { formatCount, plural, pluralWord } from '@/lib/format.ts';
import type { GeneNote } from '@/lib/gene-species.tsx';
import { type GroupsForm, groupsRequest, hasGroups } from '@/features/markers/index.ts';

export interface CellTypeForm extends GroupsForm {
  /** A set of markers of the server, or `ownListChoice`. */
  markers: string;
  /** CSV. */
  ownMarkers: string;
  minCells: string;
  minMarkers: string;
  /** Percentages. */
  minShare: string;
  minMargin: string;
  pValue: string;
}

const { min_cells, min_markers, min_share, min_margin, pval } = cellTypeRequest.shape;

export const cellTypeNumbers = [
  { field: 'pValue', step: 0.01, ...numberParameter(pval) },
  { field: 'minMargin', step: 1, ...numberParameter(min_margin, 100), label: 'Min. Margin (%)' },
  { field: 'minMarkers', step: 1, ...numberParameter(min_markers) },
  { field: 'minShare', step: 1, ...numberParameter(min_share, 100), label: 'Min. Expressing (%)' },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
] as const;

export const cellTypeDefaults: CellTypeForm = {
  groupBy: '',
  groups: '',
  markers: abridgedMarkers,
  ownMarkers: '',
  ...standardsOf(cellTypeNumbers),
};

export function cellTypeRequestOf(form: CellTypeForm): CellTypeRequest {
  return {
    ...groupsRequest(form),
    ...(form.markers === ownListChoice ? { own_markers: form.ownMarkers } : { markers: form.markers }),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    min_markers: Math.trunc(numberOrZero(form.minMarkers)),
    min_share: shareOf(form.minShare),
    min_margin: shareOf(form.minMargin),
    pval: numberOrZero(form.pValue),
  };
}

/** Why a list of markers cannot be sent; undefined if it can. */
export function ownMarkersProblem({ ownMarkers }: Pick<CellTypeForm, 'ownMarkers'>): string | undefined {
  return ownListProblem(ownMarkers, {
    entries: 'markers',
    max: maxOwnMarkersLength,
    headings: [
      [/type|cell_name|source/i, 'cell_type'],
      [/gene|symbol|marker|target/i, 'gene'],
    ],
  });
}

/** Says how many markers of a list are in a dataset, and whether a run would be refused. */
export function markersNote(
  { total, foundCount, largestType }: OfferedList,
  { minMarkers }: Pick<CellTypeForm, 'minMarkers'>,
): GeneNote {
  if (foundCount === 0) {
    const text = `None of its ${plural(total, 'marker')} is in this dataset: choose another list, or paste your own.`;
    return { text, isRefused: true };
  }
  if (largestType < numberOrZero(minMarkers)) {
    const text = `No type has ${plural(numberOrZero(minMarkers), 'marker')} in this dataset; the most is ${formatCount(largestType)}. Lower Min. Markers, choose another list, or paste your own.`;
    return { text, isRefused: true };
  }
  return {
    text: `${formatCount(foundCount)} of ${plural(total, 'marker')} ${pluralWord(foundCount, 'is', 'are')} in this dataset.`,
    isRefused: false,
  };
}

export function isComplete(
  form: CellTypeForm,
  dataset: DatasetAnalysis,
  lists: readonly OfferedList[] = [],
): boolean {
  if (!hasGroups(form, dataset)) return false;
  const list = lists.find(({ name }) => name === form.markers);
  if (isRefusedList(dataset.species, list, (chosen) => markersNote(chosen, form))) return false;
  if (form.markers === ownListChoice && ownMarkersProblem(form) !== undefined) return false;
  return areValid(cellTypeNumbers, form);
}

export function withGeneLists(
  ownMarkers: string,
  lists: readonly { name: string; genes: readonly string[] }[],
): string {
  const before = ownMarkers.trim() === '' ? 'cell_type,gene' : ownMarkers.trimEnd();
  const lines = lists.flatMap(({ name, genes }) => genes.map((gene) => `${csvCell(name)},${csvCell(gene)}`));
  return [before, ...lines, ''].join('\n');
}
