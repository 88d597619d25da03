import { type FieldNote, isRefusedList, type OfferedList } from '@cellfolio/analyses';
import type { DatasetAnalysis, LigandReceptorRequest } from '@cellfolio/contract';
import { abridgedPairs, ligandReceptorRequest } from '@cellfolio/contract';
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

export interface LigandReceptorForm extends GroupsForm {
  /** Id of a pair set of the server, or `ownListChoice`. */
  pairs: string;
  /** CSV. */
  ownPairs: string;
  /** As a percentage. */
  minShare: string;
  minCells: string;
  pValue: string;
  permutations: string;
  seed: string;
}

const { min_share, min_cells, pval, permutations, seed } = ligandReceptorRequest.shape;

const own = listSources.pairs.own!;

export const ligandReceptorNumbers = [
  { field: 'minShare', step: 1, ...numberParameter(min_share, 100), label: 'Min. Expressing (%)' },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
  { field: 'pValue', step: 0.01, ...numberParameter(pval) },
  { field: 'permutations', step: 100, ...numberParameter(permutations) },
  { field: 'seed', step: 1, ...numberParameter(seed) },
] as const;

export const ligandReceptorDefaults: LigandReceptorForm = {
  groupBy: '',
  groups: '',
  pairs: abridgedPairs,
  ownPairs: '',
  ...standardsOf(ligandReceptorNumbers),
};

export function ligandReceptorRequestOf(form: LigandReceptorForm): LigandReceptorRequest {
  return {
    ...groupsRequest(form),
    ...(form.pairs === ownListChoice ? { own_pairs: form.ownPairs } : { pairs: form.pairs }),
    min_share: shareOf(form.minShare),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    pval: numberOrZero(form.pValue),
    permutations: Math.trunc(numberOrZero(form.permutations)),
    seed: Math.trunc(numberOrZero(form.seed)),
  };
}

/** Says how many pairs of a set are in a dataset, and whether a run would be refused. */
export function pairsNote({ total, foundCount }: OfferedList): FieldNote {
  return foundCount === 0
    ? {
        problem: `None of its ${plural(total, 'pair')} has both genes in this dataset: choose another set, or paste your own.`,
      }
    : {
        hint: `${formatCount(foundCount)} of ${plural(total, 'pair')} ${pluralWord(foundCount, 'has', 'have')} both genes in this dataset.`,
      };
}

export function isComplete(
  form: LigandReceptorForm,
  dataset: DatasetAnalysis,
  lists: readonly OfferedList[] = [],
): boolean {
  if (!hasGroups(form, dataset)) return false;
  const list = lists.find(({ name }) => name === form.pairs);
  if (isRefusedList(dataset, list, list && pairsNote(list))) return false;
  if (form.pairs === ownListChoice && ownListProblem(form.ownPairs, own) !== undefined) return false;
  return areValid(ligandReceptorNumbers, form);
}
