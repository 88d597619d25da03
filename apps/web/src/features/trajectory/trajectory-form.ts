import type { TrajectoryRequest } from '@cellfolio/contract';
import { maxTrajectoryGenes, trajectoryRequest } from '@cellfolio/contract';
import { areValid, numberOrZero, numberParameter, standardsOf } from '@/features/analyses/index.ts';

/** How cells are ordered, as it is typed. */
export interface OrderForm {
  /** A column of obs; empty for none. */
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

/** The fields as they are typed. */
export interface TrajectoryForm extends OrderForm {
  /** Names with commas or blanks between them; empty for the genes most correlated. */
  genes: string;
}

const { n_neighbors, n_dcs } = trajectoryRequest.shape;

/** The numbers of the form, as their schemas know them. */
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

/** Names of genes that were typed, each once. */
export function genesOf({ genes }: Pick<TrajectoryForm, 'genes'>): string[] {
  return [...new Set(genes.split(/[\s,;]+/).filter((gene) => gene !== ''))];
}

/** What is wrong with the genes of the curves; undefined where nothing is. */
export function genesProblem(form: Pick<TrajectoryForm, 'genes'>): string | undefined {
  return genesOf(form).length > maxTrajectoryGenes
    ? `At most ${maxTrajectoryGenes} genes have curves.`
    : undefined;
}

export function graphOf({ graph }: { readonly graph: string }): 'file' | 'computed' {
  return graph === 'computed' ? 'computed' : 'file';
}

/** The graph of nearest cells, where it is not the one that is taken by itself. */
export function askedGraph(form: { readonly graph: string }): { graph?: 'computed' } {
  return graphOf(form) === 'computed' ? { graph: 'computed' } : {};
}

/** The graph of a request, in words. @param neighbours of each cell in a computed one */
export function graphText(graph: string | undefined, neighbours: number): string {
  const computed = `computed graph of ${neighbours} neighbours`;
  return graph === 'computed' ? computed : `graph of the file, else ${computed}`;
}

/** The graph of an order, in words. */
export function orderGraphText(order: Pick<TrajectoryRequest, 'graph' | 'n_neighbors'>): string {
  return graphText(order.graph, order.n_neighbors ?? Number(orderNumbers[0].standard));
}

/** How cells are ordered, as the server takes it. */
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
    ...askedGraph(form),
    n_neighbors: Math.trunc(numberOrZero(form.neighbors)),
    n_dcs: Math.trunc(numberOrZero(form.components)),
  } satisfies TrajectoryRequest;
}

export function trajectoryRequestOf(form: TrajectoryForm): TrajectoryRequest {
  const genes = genesOf(form);
  return { ...orderOf(form), ...(genes.length > 0 && { genes }) };
}

/** Whether the form says what is grouped and where the order begins, with numbers that the server takes. */
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
