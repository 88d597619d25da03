import type { PlanStep } from '@cellfolio/assistant';
import { type DatasetAnalysis, type FigureContent, clusterField } from '@cellfolio/contract';
import type { GeneIndex } from '@/features/genes/index.ts';

export type MapContent = Extract<FigureContent, { kind: 'obs-umap' | 'gene-umap' }>;

/** Colors of the map that show what a step is about: its first gene, else its first column, else that of its cells. */
export function mapContentOf(
  step: Pick<PlanStep, 'arguments'>,
  { columns, columnNames }: { columns: DatasetAnalysis['columns']; columnNames: ReadonlySet<string> },
  index: Pick<GeneIndex, 'spelling'>,
): MapContent | undefined {
  const { cell_types: types, leiden_clusters: clusters, patient_metadata: metadata } = columns;
  const roles = new Map([
    ...metadata.map(({ field, column }) => [field, column] as const),
    ['cell_type', types] as const,
    ['leiden', clusters] as const,
    [clusterField, clusters] as const,
  ]);
  const columnOf = (name: string) => (columnNames.has(name) ? name : roles.get(name));
  let column: string | undefined;
  let cells: string | undefined;
  for (const [field, value] of namesIn(step.arguments)) {
    const gene =
      /^genes?$/.test(field) && value !== undefined ? index.spelling.get(value.toLowerCase()) : undefined;
    if (gene !== undefined) return { kind: 'gene-umap', gene };
    if (columnFields.has(field) && value !== undefined) column ??= columnOf(value);
    if (field === 'cell_type' || field === 'of patient_metadata')
      cells ??= field === 'cell_type' ? types : columnOf(value!);
  }
  const chosen = column ?? cells;
  return chosen === undefined ? undefined : { kind: 'obs-umap', column: chosen };
}

const columnFields = new Set(['column', 'columns', 'groupby', 'by', 'split']);

/** Texts of the arguments of a step with the names of their fields, in order; fields of metadata are texts of theirs. */
function* namesIn(value: unknown, field = ''): Generator<readonly [field: string, text: string | undefined]> {
  if (typeof value === 'string') yield [field, value];
  if (Array.isArray(value)) for (const one of value) yield* namesIn(one, field);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (field === 'patient_metadata') yield ['of patient_metadata', name];
      else yield* namesIn(inner, name);
    }
}
