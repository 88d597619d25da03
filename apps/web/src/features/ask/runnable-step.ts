import { type Declaration, declarations, formOf } from '@cellfolio/analyses';
import { analysisTool, type PlanStep } from '@cellfolio/assistant';
import {
  clusterField,
  type DatasetAnalysis,
  type FigureContent,
  type FilterRequest,
} from '@cellfolio/contract';
import type { RunnableStep } from './ask-host.ts';

type Columns = DatasetAnalysis['columns'];

/** A step of a model as the page runs it; undefined where it is a tool that the page has no form for. */
export function pageStep(step: PlanStep, columns: Columns): RunnableStep | undefined {
  const isPages = 'content' in step.arguments || declarations.some((one) => analysisTool(one) === step.tool);
  return isPages ? runnableStep(step, columns) : undefined;
}

/** A step of a plan, with columns under the names that the forms of the page have for them. */
export function runnableStep({ tool, arguments: args }: PlanStep, columns: Columns): RunnableStep {
  const { cells, content, ...request } = args as {
    cells?: { subset?: FilterRequest };
    content?: FigureContent;
    groupby?: unknown;
  };
  const filter = inFormNames(cells?.subset, columns) as FilterRequest | undefined;
  const of = filter && { cells: { name: filter.subset_group_name, filter } };
  if (content !== undefined) return { ...of, content };
  const declaration = declarations.find((one) => analysisTool(one) === tool)!;
  const { groupby } = request;
  const named = typeof groupby === 'string' &&
    namesRoles(declaration) && { groupby: groupName(groupby, columns) };
  return {
    ...of,
    analysis: declaration.id,
    request: { ...(inFormNames(request, columns) as object), ...named },
  };
}

/** Whether its form has the roles of cell types and clusters in place of their columns. */
function namesRoles({ request }: Declaration): boolean {
  const schema = new Map(Object.entries(request.shape)).get('groupby');
  const control = schema && formOf(schema)?.control;
  return control === 'binned-groups' || control === 'some-groups';
}

function groupName(
  column: string,
  { cell_types: types, leiden_clusters: clusters, patient_metadata }: Columns,
): string {
  if (column === types) return 'cell_type';
  if (column === clusters) return 'leiden';
  return patient_metadata.find((one) => one.column === column)?.field ?? column;
}

/** Filters by fields of metadata as they are shown. */
function inFormNames(value: unknown, columns: Columns, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => inFormNames(one, columns));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    if (key === 'patient_metadata') return [fieldName(name, columns), part];
    return [name, inFormNames(part, columns, name)];
  });
  return Object.fromEntries(entries);
}

function fieldName(
  column: string,
  { leiden_clusters: clusters, patient_metadata: metadata }: Columns,
): string {
  const field = metadata.find((one) => one.column === column)?.field;
  return field ?? (column === clusters ? clusterField : column);
}
