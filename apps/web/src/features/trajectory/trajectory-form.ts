import type { TrajectoryRequest } from '@cellfolio/contract';
import { maxTrajectoryGenes, trajectoryRequest } from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem } from '@/features/analyses/index.ts';

/** The fields as they are typed. */
export interface TrajectoryForm {
  /** A column of obs; empty for none. */
  groupBy: string;
  /** `suggestion`, `group` or `cell`. */
  rootBy: string;
  rootGroup: string;
  rootCell: string;
  /** Names with commas or blanks between them; empty for the genes most correlated. */
  genes: string;
  neighbors: string;
  components: string;
}

const { n_neighbors, n_dcs } = trajectoryRequest.shape;

/** The numbers of the form, as their schemas know them. */
export const trajectoryNumbers = [
  { field: 'neighbors', step: 1, ...numberParameter(n_neighbors) },
  { field: 'components', step: 1, ...numberParameter(n_dcs) },
] as const;

export const rootChoices = [
  { value: 'suggestion', label: 'Suggested: the tip of all cells' },
  { value: 'group', label: 'The tip of a group' },
  { value: 'cell', label: 'A cell, by its barcode' },
] as const;

type RootBy = (typeof rootChoices)[number]['value'];

export const trajectoryDefaults: TrajectoryForm = {
  groupBy: '',
  rootBy: 'suggestion',
  rootGroup: '',
  rootCell: '',
  genes: '',
  ...(Object.fromEntries(trajectoryNumbers.map(({ field, standard }) => [field, standard])) as Record<
    (typeof trajectoryNumbers)[number]['field'],
    string
  >),
};

export function rootByOf({ rootBy }: Pick<TrajectoryForm, 'rootBy'>): RootBy {
  return rootChoices.find(({ value }) => value === rootBy)?.value ?? 'suggestion';
}

export function genesOf({ genes }: Pick<TrajectoryForm, 'genes'>): string[] {
  return [...new Set(genes.split(/[\s,;]+/).filter((gene) => gene !== ''))];
}

/** What is wrong with the genes; undefined where nothing is. */
export function genesProblem(form: Pick<TrajectoryForm, 'genes'>): string | undefined {
  return genesOf(form).length > maxTrajectoryGenes
    ? `At most ${maxTrajectoryGenes} genes have curves.`
    : undefined;
}

export function trajectoryRequestOf(form: TrajectoryForm): TrajectoryRequest {
  const by = rootByOf(form);
  const genes = genesOf(form);
  return {
    groupby: form.groupBy,
    root:
      by === 'cell'
        ? { by, barcode: form.rootCell.trim() }
        : by === 'group'
          ? { by, group: form.rootGroup }
          : { by },
    n_neighbors: Math.trunc(numberOrZero(form.neighbors)),
    n_dcs: Math.trunc(numberOrZero(form.components)),
    ...(genes.length > 0 && { genes }),
  };
}

/** Whether the form says what is grouped and where the order begins, with numbers that the server takes. */
export function isComplete(form: TrajectoryForm): boolean {
  const by = rootByOf(form);
  if (form.groupBy === '' || genesProblem(form) !== undefined) return false;
  if (by === 'cell' && form.rootCell.trim() === '') return false;
  if (by === 'group' && form.rootGroup === '') return false;
  return trajectoryNumbers.every(
    ({ field, ...parameter }) => numberProblem(parameter, form[field]) === undefined,
  );
}
