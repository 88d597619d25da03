import type {
  AreaColumn,
  CategoryColumn,
  GridSquare,
  LevelColumn,
  MapColumn,
  MaskColumn,
  PositionColumn,
} from '@cellfolio/columns';
import { decodeColumn } from '@cellfolio/columns';
import type { FigureSource, MapColumnList } from '@cellfolio/contract';
import { datasetTerms, mapCell, mapColumnList, mapFigure } from '@cellfolio/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';
import type { ChosenEmbedding } from './map-store.ts';

/** Call after a change of annotations, which are columns too: refetches what depends on the values of columns. */
export async function invalidateColumns(client: QueryClient): Promise<void> {
  const keys = [
    'map-columns',
    'map-terms',
    'map-values',
    'map-figure',
    'map-mask',
    'map-cell',
    'cell-sets',
    'filter-preview',
  ];
  await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** Milliseconds that a column stays in memory after the last map that shows it: one or two bytes per cell. */
const keptFor = 60_000;

export interface MapDataset {
  filename: string;
  version: string;
}

export type ValueSource = { from: 'obs' | 'gene'; name: string } | { from: 'score'; content: object };

const path = ({ filename }: MapDataset) => `/api/datasets/${encodeURIComponent(filename)}/columns`;
const ofVersion = ({ version }: MapDataset, more: Record<string, string> = {}) =>
  `?${new URLSearchParams({ version, ...more })}`;

const embeddingPath = (
  dataset: MapDataset,
  { name, axes }: ChosenEmbedding,
  more: Record<string, string> = {},
) =>
  `${path(dataset)}/embedding/${encodeURIComponent(name)}${ofVersion(dataset, { axes: axes.join(), ...more })}`;

export function columnListQuery(api: ApiClient, dataset: MapDataset) {
  return queryOptions({
    queryKey: ['map-columns', dataset],
    queryFn: ({ signal }) =>
      api({ path: `${path(dataset)}${ofVersion(dataset)}`, answer: mapColumnList, signal }),
    staleTime: Infinity,
  });
}

/** Ontology ids of the labels of each column, as a text: `CL:0000084`, or several. */
export type TermsByColumn = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function termsQuery(api: ApiClient, dataset: MapDataset) {
  return queryOptions({
    queryKey: ['map-terms', dataset],
    queryFn: async ({ signal }): Promise<TermsByColumn> => {
      const path = `/api/datasets/${encodeURIComponent(dataset.filename)}/terms`;
      const { columns } = await api({ path, answer: datasetTerms, signal });
      return new Map(
        columns.map(({ column, terms }) => [
          column,
          new Map(terms.map(({ label, ids }) => [label, ids.map(({ id }) => id).join(', ')])),
        ]),
      );
    },
    staleTime: Infinity,
  });
}

export function positionsQuery(api: ApiClient, dataset: MapDataset, embedding: ChosenEmbedding | undefined) {
  return queryOptions({
    queryKey: ['map-positions', dataset, embedding],
    queryFn: async ({ signal }) => {
      return (await read(api, { path: embeddingPath(dataset, embedding!), signal })) as PositionColumn;
    },
    enabled: embedding !== undefined,
    staleTime: Infinity,
    gcTime: keptFor,
  });
}

/** Loads the exact positions of the cells in a square of the map. */
export type LoadArea = (square: GridSquare, signal: AbortSignal) => Promise<AreaColumn>;

export function areaLoader(api: ApiClient, dataset: MapDataset, embedding: ChosenEmbedding): LoadArea {
  return async ({ left, bottom, side }, signal) => {
    const square = [left, bottom, side].join();
    return (await read(api, { path: embeddingPath(dataset, embedding, { square }), signal })) as AreaColumn;
  };
}

/** `subset`: the cells that a score is computed on. */
export function valuesQuery(
  api: ApiClient,
  dataset: MapDataset,
  source: ValueSource | undefined,
  subset: FigureSource['subset'],
) {
  const scored = source?.from === 'score' ? subset : undefined;
  return queryOptions({
    queryKey: ['map-values', dataset, source, scored],
    queryFn: async ({ signal }) => {
      if (source!.from === 'score') {
        const body = { score: source!.content, version: dataset.version, ...(subset && { subset }) };
        return (await read(api, { path: `${path(dataset)}/score`, body, signal })) as LevelColumn;
      }
      const address = `${path(dataset)}/${source!.from}/${encodeURIComponent(source!.name)}`;
      const column = await read(api, { path: `${address}${ofVersion(dataset)}`, signal });
      return column as CategoryColumn | LevelColumn;
    },
    enabled: source !== undefined,
    staleTime: Infinity,
    gcTime: keptFor,
  });
}

export function figureQuery(
  api: ApiClient,
  source: FigureSource,
  {
    theme,
    chosen,
    split,
  }: { theme: 'light' | 'dark'; chosen: ChosenEmbedding | null; split?: string | undefined },
) {
  const { dataset_filename: filename, version, subset, displays, content } = source;
  return queryOptions({
    queryKey: ['map-figure', { filename, version }, subset, displays, content, theme, chosen, split],
    queryFn: ({ signal }) =>
      api({
        path: '/api/render-figure',
        body: {
          source,
          format: 'json',
          theme,
          ...((chosen || split !== undefined) && {
            shown: {
              ...(chosen && { embedding: chosen.name, axes: chosen.axes }),
              // The words say it too.
              ...(split !== undefined && { split }),
            },
          }),
        },
        answer: mapFigure,
        signal,
      }),
    staleTime: Infinity,
  });
}

export function maskQuery(api: ApiClient, dataset: MapDataset, subset: FigureSource['subset']) {
  return queryOptions({
    queryKey: ['map-mask', dataset, subset],
    queryFn: async ({ signal }) => {
      const body = { subset, version: dataset.version };
      return (await read(api, { path: `${path(dataset)}/mask`, body, signal })) as MaskColumn;
    },
    enabled: subset !== undefined,
    staleTime: Infinity,
    gcTime: keptFor,
  });
}

export function groupsColumn(obs: MapColumnList['obs']): MapColumnList['obs'][number] | undefined {
  return obs.find(({ role }) => role === 'cellType') ?? obs.find(({ role }) => role === 'cluster');
}

export function cellQuery(
  api: ApiClient,
  dataset: MapDataset,
  { place, genes, obs }: { place: number; genes: readonly string[]; obs: readonly string[] },
) {
  const query = new URLSearchParams({ version: dataset.version });
  for (const gene of genes) query.append('gene', gene);
  for (const name of obs) query.append('obs', name);
  return queryOptions({
    queryKey: ['map-cell', dataset, place, genes, obs],
    queryFn: ({ signal }) =>
      api({ path: `${path(dataset)}/cell/${place}?${query}`, answer: mapCell, signal }),
    staleTime: Infinity,
    gcTime: keptFor,
  });
}

async function read(
  api: ApiClient,
  call: { path: string; body?: unknown; signal: AbortSignal },
): Promise<MapColumn> {
  const file = await api({ ...call, answer: anyFile, expects: 'file' });
  return decodeColumn(new Uint8Array(await file.arrayBuffer()));
}
