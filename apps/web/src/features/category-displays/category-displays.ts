import type { CategoryDisplay, ColumnCategories, DatasetAnalysis, FigureSource } from '@cellfolio/contract';
import { type categoryDisplayRequest, categoryDisplayList, columnCategories } from '@cellfolio/contract';
import { inputsOf } from '@cellfolio/figures/content';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type DocumentKind, documentsQuery, useDocuments } from '@/features/documents/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { type Services, useServices } from '@/lib/services.ts';

const pathOf = (filename: string, column?: string) =>
  `/api/datasets/${encodeURIComponent(filename)}/category-displays${column === undefined ? '' : `/${encodeURIComponent(column)}`}`;

export function displaysQuery(services: Pick<Services, 'api' | 'session'>, filename: string) {
  return documentsQuery(services, displaysOf(filename));
}

const displaysOf = (filename: string): DocumentKind<{ displays: CategoryDisplay[] }, ColumnCategories> => ({
  key: ['category-displays', filename],
  all: pathOf(filename),
  one: pathOf(filename),
  list: categoryDisplayList,
  saved: columnCategories,
  left: columnCategories,
  staleTime: Infinity,
});

export function categoriesQuery(api: ApiClient, filename: string, column: string) {
  return queryOptions({
    queryKey: ['column-categories', filename, column],
    queryFn: ({ signal }) => api({ path: pathOf(filename, column), answer: columnCategories, signal }),
    // Another tab may have changed it.
    staleTime: 0,
  });
}

/** Current display of a dataset's figures, whatever they were drawn with. */
export interface Displayed {
  pending: boolean;
  /** A source with the current orders, colours and names; unchanged while these are unknown. */
  of: (source: FigureSource) => FigureSource;
}

export function useDisplayed(filename: string | undefined): Displayed {
  const isEnabled = filename !== undefined;
  const list = useQuery({ ...displaysQuery(useServices(), filename ?? ''), enabled: isEnabled });
  return {
    pending: isEnabled && list.isPending,
    of: (source) => (list.data ? displayedSource(source, list.data.displays) : source),
  };
}

/** A source with the current orders, colours and names, fetched now; unchanged when these are unavailable. */
export async function displayedNow(
  client: QueryClient,
  services: Services,
  source: FigureSource,
): Promise<FigureSource> {
  const list = await client
    .fetchQuery(displaysQuery(services, source.dataset_filename))
    .catch(() => undefined);
  return list ? displayedSource(source, list.displays) : source;
}

/** The server ignores displays of columns that the figure does not show. */
function displayedSource(source: FigureSource, displays: readonly CategoryDisplay[]): FigureSource {
  const { displays: _, ...rest } = source;
  const inputs = Object.values(inputsOf(source.content)).flat();
  const isAny = inputs.some(({ from }) => from === 'column' || from === 'markers' || from === 'comparison');
  const named = new Set(inputs.map((input) => (input.from === 'obs' ? input.column : undefined)));
  const shown = displays.filter(({ column }) => isAny || named.has(column));
  if (shown.length === 0) return rest;
  return { ...rest, displays: shown.map(({ column, revision }) => ({ column, revision })) };
}

/** Whether two sources have the same orders, colours and names. */
export function sameDisplays(
  { displays: a = [] }: FigureSource,
  { displays: b = [] }: FigureSource,
): boolean {
  return (
    a.length === b.length &&
    a.every(({ column, revision }) =>
      b.some((other) => other.column === column && other.revision === revision),
    )
  );
}

/** Entries in the user's order of a column's categories; others follow in their own order. */
export function inDisplayOrder<T>(
  entries: readonly T[],
  nameOf: (entry: T) => string,
  display: Pick<CategoryDisplay, 'categories'> | undefined,
): readonly T[] {
  if (display === undefined) return entries;
  const places = new Map(display.categories.map(({ name }, place) => [name, place]));
  const placeOf = (entry: T) => places.get(nameOf(entry)) ?? places.size;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** A column's new display; `null` restores the dataset's own. */
export interface DisplayChange {
  revision: number;
  categories: z.input<typeof categoryDisplayRequest>['categories'] | null;
}

export function useChangeDisplay(filename: string, column: string) {
  const { api } = useServices();
  const client = useQueryClient();
  const { run, isPending } = useDocuments(displaysOf(filename), { enabled: false });
  const change = async ({ revision, categories }: DisplayChange, done: () => void): Promise<void> => {
    const path = pathOf(filename, column);
    const call =
      categories === null
        ? ({ method: 'DELETE', path: `${path}?revision=${revision}` } as const)
        : ({ method: 'PUT', path, body: { revision, categories } } as const);
    const answer = await run({ ...call, answer: columnCategories, failure: notSaved }, { done });
    client.setQueryData(categoriesQuery(api, filename, column).queryKey, answer);
    // Reading it again would open the dataset again and drop the chosen cells.
    client.setQueryData<{ analysis: DatasetAnalysis | null }>(['dataset-analysis', filename], (opened) =>
      opened?.analysis ? { ...opened, analysis: reorderedAnalysis(opened.analysis, answer) } : opened,
    );
  };
  return { change, isPending };
}

const notSaved = 'Order, colors and names were not saved.';

export function reorderedAnalysis(
  analysis: DatasetAnalysis,
  { column, categories }: ColumnCategories,
): DatasetAnalysis {
  const { columns } = analysis;
  const cellsOf = new Map(categories.map(({ name, cells }) => [name, cells]));
  const order = categories.filter(({ cells }) => cells > 0).map(({ name }) => name);
  // A list may leave some out.
  const ordered = (names: string[]) => {
    const listed = new Set(names);
    return order.filter((name) => listed.has(name));
  };
  const isField = new Set(columns.patient_metadata.flatMap((of) => (of.column === column ? [of.field] : [])));
  const fields = Object.entries(analysis.patient_metadata).map(
    ([field, values]) => [field, isField.has(field) ? ordered(values) : values] as const,
  );
  const valuesOf = new Map(fields);
  const counts = Object.entries(analysis.patient_metadata_counts ?? {}).map(
    ([field, of]) =>
      [field, isField.has(field) ? valuesOf.get(field)!.map((name) => cellsOf.get(name)!) : of] as const,
  );
  const { cell_types: types, leiden_clusters: clusters } = analysis;
  return {
    ...analysis,
    cell_types: columns.cell_types === column ? ordered(types) : types,
    leiden_clusters: columns.leiden_clusters === column ? ordered(clusters) : clusters,
    patient_metadata: Object.fromEntries(fields),
    ...(analysis.patient_metadata_counts && { patient_metadata_counts: Object.fromEntries(counts) }),
  };
}
