import type { DatasetAnalysis, LigandReceptorRequest } from '@cellfolio/contract';
import { abridgedPairs, ligandReceptorRequest, maxOwnPairsLength } from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem } from '@/features/analyses/index.ts';
import { groupChoices } from '@/features/markers/index.ts';

/** The fields as they are typed. */
export interface LigandReceptorForm {
  groupBy: string;
  /** Chosen groups as a list in JSON; empty for all. */
  groups: string;
  /** A set of pairs of the server, or `ownPairs`. */
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

/** Stands for a list of one's own among the sets; no set has a name with a blank. */
export const ownPairsChoice = 'own list';

const { min_share, min_cells, pval, permutations, seed } = ligandReceptorRequest.shape;

/** The numbers of the form, as their schemas know them. */
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
  ...(Object.fromEntries(ligandReceptorNumbers.map(({ field, standard }) => [field, standard])) as Record<
    (typeof ligandReceptorNumbers)[number]['field'],
    string
  >),
};

/** The chosen groups; undefined for all. */
export function chosenGroups({ groups }: Pick<LigandReceptorForm, 'groups'>): string[] | undefined {
  if (groups === '') return undefined;
  try {
    const read: unknown = JSON.parse(groups);
    return Array.isArray(read) && read.every((name) => typeof name === 'string') ? read : undefined;
  } catch {
    return undefined;
  }
}

export function ligandReceptorRequestOf(form: LigandReceptorForm): LigandReceptorRequest {
  const groups = chosenGroups(form);
  return {
    groupby: form.groupBy,
    ...(groups && { groups }),
    ...(form.pairs === ownPairsChoice ? { own_pairs: form.ownPairs } : { pairs: form.pairs }),
    // Ten per cent are a tenth, not 0.1 and a bit.
    min_share: Number((numberOrZero(form.minShare) / 100).toPrecision(12)),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    pval: numberOrZero(form.pValue),
    permutations: Math.trunc(numberOrZero(form.permutations)),
    seed: Math.trunc(numberOrZero(form.seed)),
  };
}

/** Why a list of pairs cannot be sent; undefined where it can. The server reads it line by line. */
export function ownPairsProblem({ ownPairs }: Pick<LigandReceptorForm, 'ownPairs'>): string | undefined {
  if (ownPairs.trim() === '') return 'Paste pairs, or choose a file.';
  if (ownPairs.length > maxOwnPairsLength) {
    return `The list has ${ownPairs.length.toLocaleString('en-US')} characters, at most ${maxOwnPairsLength.toLocaleString('en-US')} can be sent.`;
  }
  const heading = ownPairs.split(/\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  return /ligand|source_genesymbol/i.test(heading) && /receptor|target_genesymbol/i.test(heading)
    ? undefined
    : 'The first line has to be a heading with the columns ligand and receptor.';
}

/** Whether the form says what is tested, with numbers that the server takes. */
export function isComplete(form: LigandReceptorForm, dataset: DatasetAnalysis): boolean {
  if (!groupChoices(dataset).some(({ value }) => value === form.groupBy)) return false;
  if ((chosenGroups(form)?.length ?? 2) < 2) return false;
  if (form.pairs === ownPairsChoice && ownPairsProblem(form) !== undefined) return false;
  return ligandReceptorNumbers.every(
    ({ field, ...parameter }) => numberProblem(parameter, form[field]) === undefined,
  );
}

/** The groups of a column in the words of the server; none where the column is not known. */
export function groupNames(dataset: DatasetAnalysis, groupBy: string): readonly string[] {
  if (groupBy === 'cell_type') return dataset.cell_types;
  if (groupBy === 'leiden') return dataset.leiden_clusters;
  return new Map(Object.entries(dataset.patient_metadata)).get(groupBy) ?? [];
}
