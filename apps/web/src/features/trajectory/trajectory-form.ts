import { graphText } from '@cellfolio/analyses';
import type { TrajectoryRequest } from '@cellfolio/contract';
import { maxTrajectoryGenes, trajectoryRequest } from '@cellfolio/contract';
import { areValid, numberOrZero, numberParameter, standardsOf } from '@/features/analyses/index.ts';

export interface OrderForm {
  groupBy: string;
  /** `suggestion`, `group` or `cell`. */
  rootBy: string;
  rootGroup: string;
  rootCell: string;
  /** `file` or `computed`. */
  graph: string;
  neighbors: string;
  components: string;
}

export interface TrajectoryForm extends OrderForm {
  /** Gene names separated by commas or blanks; empty for the most correlated genes. */
  genes: string;
}

const { n_neighbors, n_dcs } = trajectoryRequest.shape;

export const orderNumbers = [
  { field: 'neighbors', step: 1, ...numberParameter(n_neighbors) },
  { field: 'components', step: 1, ...numberParameter(n_dcs) },
] as const;

export const rootChoices = [
  { value: 'suggestion', label: 'Suggested: the tip of all cells' },
  { value: 'group', label: 'The tip of a group' },
  { value: 'cell', label: 'A cell of the map, or a barcode' },
] as const;

type RootBy = (typeof rootChoices)[number]['value'];

export const orderDefaults: OrderForm = {
  groupBy: '',
  rootBy: 'suggestion',
  rootGroup: '',
  rootCell: '',
  graph: 'file',
  ...standardsOf(orderNumbers),
};

export const trajectoryDefaults: TrajectoryForm = { ...orderDefaults, genes: '' };

export function rootByOf({ rootBy }: Pick<OrderForm, 'rootBy'>): RootBy {
  return rootChoices.find(({ value }) => value === rootBy)?.value ?? 'suggestion';
}

export function genesOf({ genes }: Pick<TrajectoryForm, 'genes'>): string[] {
  return [...new Set(genes.split(/[\s,;]+/).filter((gene) => gene !== ''))];
}

export function genesProblem(form: Pick<TrajectoryForm, 'genes'>): string | undefined {
  return genesOf(form).length > maxTrajectoryGenes
    ? `At most ${maxTrajectoryGenes} genes have curves.`
    : undefined;
}

export function graphOf({ graph }: { graph: string }): 'file' | 'computed' {
  return graph === 'computed' ? 'computed' : 'file';
}

/** The `graph` parameter; omitted for the default graph. */
function graphField(form: { graph: string }): { graph?: 'computed' } {
  return graphOf(form) === 'computed' ? { graph: 'computed' } : {};
}

export function orderGraphText(order: Pick<TrajectoryRequest, 'graph' | 'n_neighbors'>): string {
  return graphText(order.graph, order.n_neighbors ?? Number(orderNumbers[0].defaultValue));
}

export function orderOf(form: OrderForm) {
  const by = rootByOf(form);
  return {
    groupby: form.groupBy,
    root:
      by === 'cell'
        ? { by, barcode: form.rootCell.trim() }
        : by === 'group'
          ? { by, group: form.rootGroup }
          : { by },
    ...graphField(form),
    n_neighbors: Math.trunc(numberOrZero(form.neighbors)),
    n_dcs: Math.trunc(numberOrZero(form.components)),
  } satisfies TrajectoryRequest;
}

export function trajectoryRequestOf(form: TrajectoryForm): TrajectoryRequest {
  const genes = genesOf(form);
  return { ...orderOf(form), ...(genes.length > 0 && { genes }) };
}

export function isOrderComplete(form: OrderForm): boolean {
  const by = rootByOf(form);
  if (form.groupBy === '') return false;
  if (by === 'cell' && form.rootCell.trim() === '') return false;
  if (by === 'group' && form.rootGroup === '') return false;
  return areValid(orderNumbers, form);
}

export function isComplete(form: TrajectoryForm): boolean {
  return isOrderComplete(form) && genesProblem(form) === undefined;
}
