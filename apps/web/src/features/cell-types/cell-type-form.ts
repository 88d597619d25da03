import { type FieldNote, isRefusedList, type OfferedList } from '@cellfolio/analyses';
import type { CellTypeRequest, DatasetAnalysis } from '@cellfolio/contract';
import { abridgedMarkers, cellTypeRequest } from '@cellfolio/contract';
import {
  areValid,
  listSources,
  numberOrZero,
  numberParameter,
  ownListChoice,
  ownListProblem,
  shareOf,
  standardsOf,
} from '@/features/analyses/index.ts';
import { formatCount, plural, pluralWord } from '@/lib/format.ts';
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

const own = listSources.markers.own!;

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

/** Says how many markers of a list are in a dataset, and whether a run would be refused. */
export function markersNote(
  { total, foundCount, largestType }: OfferedList,
  { minMarkers }: Pick<CellTypeForm, 'minMarkers'>,
): FieldNote {
  if (foundCount === 0) {
    const text = `None of its ${plural(total, 'marker')} is in this dataset: choose another list, or paste your own.`;
    return { problem: text };
  }
  if (largestType < numberOrZero(minMarkers)) {
    const text = `No type has ${plural(numberOrZero(minMarkers), 'marker')} in this dataset; the most is ${formatCount(largestType)}. Lower Min. Markers, choose another list, or paste your own.`;
    return { problem: text };
  }
  return {
    hint: `${formatCount(foundCount)} of ${plural(total, 'marker')} ${pluralWord(foundCount, 'is', 'are')} in this dataset.`,
  };
}

export function isComplete(
  form: CellTypeForm,
  dataset: DatasetAnalysis,
  lists: readonly OfferedList[] = [],
): boolean {
  if (!hasGroups(form, dataset)) return false;
  const list = lists.find(({ name }) => name === form.markers);
  if (isRefusedList(dataset, list, list && markersNote(list, form))) return false;
  if (form.markers === ownListChoice && ownListProblem(form.ownMarkers, own) !== undefined) return false;
  return areValid(cellTypeNumbers, form);
}
