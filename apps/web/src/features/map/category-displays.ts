import type { CategoryDisplay, ColumnCategories, DatasetAnalysis, FigureSource } from '@cellfolio/contract';
import { categoryDisplayList, columnCategories } from '@cellfolio/contract';
import { inputsOf } from '@cellfolio/plots/content';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices } from '@/lib/services.ts';

const pathOf = (filename: string, column?: string) =>
  `/api/datasets/${encodeURIComponent(filename)}/category-displays${column === undefined ? '' : `/${encodeURIComponent(column)}`}`;

/** The columns of a dataset whose categories have an order or colours of one's own. */
export function displaysQuery(api: ApiClient, filename: string) {
  return queryOptions({
    queryKey: ['category-displays', filename],
    queryFn: ({ signal }) => api({ path: pathOf(filename), answer: categoryDisplayList, signal }),
    staleTime: Infinity,
  });
}

/** The categories of a column as figures show them. */
export function categoriesQuery(api: ApiClient, filename: string, column: string) {
  return queryOptions({
    queryKey: ['column-categories', filename, column],
    queryFn: ({ signal }) => api({ path: pathOf(filename, column), answer: columnCategories, signal }),
    // Another tab may have changed it.
    staleTime: 0,
  });
}

/** How figures of a dataset are shown now, whatever they were drawn with. */
export interface Displayed {
  pending: boolean;
  /** A source with the orders and colours of today; as it is where they are not known. */
  of: (source: FigureSource) => FigureSource;
}

export function useDisplayed(filename: string | undefined): Displayed {
  const { api } = useServices();
  const isAsked = filename !== undefined;
  const list = useQuery({ ...displaysQuery(api, filename ?? ''), enabled: isAsked });
  return {
    pending: isAsked && list.isPending,
    of: (source) => (list.data ? displayedSource(source, list.data.displays) : source),
  };
}

/** A source with the orders and colours of today, asked for now; as it is where they cannot be had. */
export async function displayedNow(
  client: QueryClient,
  api: ApiClient,
  source: FigureSource,
): Promise<FigureSource> {
  const list = await client.fetchQuery(displaysQuery(api, source.dataset_filename)).catch(() => undefined);
  return list ? displayedSource(source, list.displays) : source;
}

/** The server passes over those of columns that the figure does not show. */
function displayedSource(source: FigureSource, displays: readonly CategoryDisplay[]): FigureSource {
  const { displays: _, ...rest } = source;
  const inputs = Object.values(inputsOf(source.content)).flat();
  const isAny = inputs.some(({ from }) => from === 'column' || from === 'markers');
  const named = new Set(inputs.map((input) => (input.from === 'obs' ? input.column : undefined)));
  const shown = displays.filter(({ column }) => isAny || named.has(column));
  if (shown.length === 0) return rest;
  return { ...rest, displays: shown.map(({ column, revision }) => ({ column, revision })) };
}

/** Whether two sources are drawn with the same orders and colours. */
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

/** Entries in the order that a user gave the categories of a column; others stay behind, in their own order. */
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

/** What is remembered of a column: `null` goes back to the dataset's own. */
export interface DisplayChange {
  revision: number;
  categories: { name: string; colour?: string }[] | null;
}

/** Remembers order and colours of a column; what shows it is read anew. */
export function useChangeDisplay(filename: string, column: string) {
  const { api } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, categories }: DisplayChange): Promise<ColumnCategories> => {
      const path = pathOf(filename, column);
      return categories === null
        ? api({ method: 'DELETE', path: `${path}?revision=${revision}`, answer: columnCategories })
        : api({ method: 'PUT', path, body: { revision, categories }, answer: columnCategories });
    },
    onSuccess: (answer) => {
      client.setQueryData(categoriesQuery(api, filename, column).queryKey, answer);
      // Reading it anew would open the dataset again and drop the chosen cells.
      client.setQueryData<{ analysis: DatasetAnalysis | null }>(['dataset-analysis', filename], (opened) =>
        opened?.analysis ? { ...opened, analysis: reorderedAnalysis(opened.analysis, answer) } : opened,
      );
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: displaysQuery(api, filename).queryKey });
    },
  });
}

/** What the panels list of a dataset, with the categories of a column in their order of now. */
export function reorderedAnalysis(
  analysis: DatasetAnalysis,
  { categories }: ColumnCategories,
): DatasetAnalysis {
  const filled = categories.filter(({ cells }) => cells > 0);
  const cellsOf = new Map(filled.map(({ name, cells }) => [name, cells]));
  // The lists do not say which column they are of: names and numbers of cells tell it.
  const isOf = (names: readonly string[], countOf: (name: string, at: number) => number | undefined) =>
    names.length === filled.length && names.every((name, at) => cellsOf.get(name) === countOf(name, at));
  const order = filled.map(({ name }) => name);
  const typeCounts = new Map(Object.entries(analysis.cell_type_counts));
  const clusterCounts = new Map(Object.entries(analysis.leiden_cluster_counts ?? {}));
  const counts = new Map(Object.entries(analysis.patient_metadata_counts ?? {}));
  const fields = Object.entries(analysis.patient_metadata).map(([field, values]) => {
    const isColumn = isOf(values, (_, at) => counts.get(field)?.[at]);
    if (isColumn)
      counts.set(
        field,
        filled.map(({ cells }) => cells),
      );
    return [field, isColumn ? order : values] as const;
  });
  const ordered = (names: string[], of: ReadonlyMap<string, number>) =>
    isOf(names, (name) => of.get(name)) ? order : names;
  return {
    ...analysis,
    cell_types: ordered(analysis.cell_types, typeCounts),
    leiden_clusters: ordered(analysis.leiden_clusters, clusterCounts),
    patient_metadata: Object.fromEntries(fields),
    ...(analysis.patient_metadata_counts && { patient_metadata_counts: Object.fromEntries(counts) }),
  };
}
