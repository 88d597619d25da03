import type { CategoryColumn, LevelColumn } from '@cellfolio/columns';
import {
  type FigureContent,
  type FigureSource,
  type MapColumnList,
  type MapFigure,
} from '@cellfolio/contract';
import type { Layer } from '@cellfolio/map';
import { inputsOf } from '@cellfolio/figures/content';
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useDisplayed } from '@/features/category-displays/index.ts';
import { useServices } from '@/lib/services.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import { defaultEmbedding } from './embeddings.ts';
import type { MapDataset, ValueSource } from './map-columns.ts';
import {
  areaLoader,
  columnListQuery,
  figureQuery,
  groupsColumn,
  maskQuery,
  positionsQuery,
  termsQuery,
  valuesQuery,
} from './map-columns.ts';
import type { LegendEntry } from './map-layer.ts';
import { cellsByLevel, groupPalette, groupSlots, rangeSlots, valuePalette } from './map-layer.ts';
import type { MapScene } from './map-scene.ts';
import { pairPalette, pairSlots, type PairSources, pairSourcesOf } from './pair-layer.ts';
import type { CardLook, MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';
import { useMapScene } from './live-maps.tsx';

export interface LoadedMap {
  scene: MapScene;
  list: MapColumnList;
  figure: MapFigure;
  layer: Layer;
  legend: readonly LegendEntry[];
  /** Present if the colours are a range. */
  values?: { column: LevelColumn; counts: Uint32Array; range: Range };
  codes?: CategoryColumn;
  /** Present for two genes or complexes, in place of `source`. */
  pair?: PairSources;
  source: ValueSource | undefined;
  /** Ontology ids of the groups, by their names in the dataset. */
  terms?: ReadonlyMap<string, string>;
}

type Range = readonly [number, number];

const maxEarly = 4;

interface MapLayerOptions {
  source: FigureSource;
  version: string;
  look: CardLook;
  range?: Range | undefined;
  store: MapStore;
}

export function useMapCells(dataset: MapDataset, store: MapStore, enabled = true) {
  const { api } = useServices();
  const list = useQuery({ ...columnListQuery(api, dataset), enabled });
  const chosen = useMapState(store, (state) => state.embedding);
  const embedding = chosen ?? defaultEmbedding(list.data);
  const positions = useQuery({
    ...positionsQuery(api, dataset, embedding),
    enabled: enabled && embedding !== undefined,
  });
  const loadArea = useMemo(() => embedding && areaLoader(api, dataset, embedding), [api, dataset, embedding]);
  const scene = useMapScene(enabled ? positions.data : undefined, store, loadArea);
  return { list, chosen, embedding, positions, scene };
}

export function useMapLayer({ source, version, look, range, store }: MapLayerOptions): {
  map: LoadedMap | undefined;
  isPending: boolean;
  error: Error | null;
} {
  const { api } = useServices();
  const theme = useShownTheme();
  const { subset } = source;
  const content = look.content ?? source.content;
  const dataset = useMemo(
    (): MapDataset => ({ filename: source.dataset_filename, version }),
    [source.dataset_filename, version],
  );
  const { list, chosen, embedding, positions, scene } = useMapCells(dataset, store);
  const displayed = useDisplayed(source.dataset_filename);
  const figure = useQuery({
    ...figureQuery(api, displayed.of({ ...source, version, content }), {
      theme,
      chosen,
      split: look.split,
    }),
    // There is no map of a dataset whose columns cannot be had.
    enabled: list.isSuccess && !displayed.pending,
    placeholderData: keepPreviousData,
  });
  const valueSource = list.data && valueSourceOf(content, list.data);
  const values = useQuery({
    ...valuesQuery(api, dataset, valueSource, subset),
    ...(valueSource && { placeholderData: keepPreviousData }),
  });
  // Few datasets have ids, and a legend without them is whole too: it does not wait for them.
  const hasTerms =
    valueSource?.from === 'obs' &&
    list.data?.obs.some(({ name, has_terms }) => name === valueSource.name && has_terms) === true;
  const termsByColumn = useQuery({ ...termsQuery(api, dataset), enabled: hasTerms }).data;
  const pair = usePair(dataset, content);
  const mask = useQuery(maskQuery(api, dataset, subset));

  // A figure and the column before it would not belong together.
  const isOfBefore = figure.isPlaceholderData || values.isPlaceholderData;
  const fresh = !isOfBefore && figure.data && (valueSource === undefined ? list.data : values.data);
  const isMasked = subset === undefined || mask.data;
  const ready = fresh && isMasked ? figure.data : undefined;
  const slotLayer = useMemo(
    () =>
      ready && list.data
        ? slotsOf(ready, pair.columns ?? values.data, { cells: list.data.cell_count, mask: mask.data })
        : undefined,
    [ready, pair.columns, values.data, list.data, mask.data],
  );
  const { hidden, log } = look;
  const own = look.range ?? range;
  const palette = useMemo(() => {
    if (slotLayer === undefined) return undefined;
    const drawsOutside = subset !== undefined || look.split !== undefined;
    if (slotLayer.kind === 'groups')
      return groupPalette(slotLayer.figure, slotLayer, { ...(hidden && { hidden }) }, drawsOutside);
    if (slotLayer.kind === 'pair') return pairPalette(slotLayer.figure, drawsOutside);
    const { low, high } = slotLayer.figure.domain;
    return valuePalette(slotLayer.figure, slotLayer.column, { range: own ?? [low, high], log }, drawsOutside);
  }, [slotLayer, subset, look.split, hidden, log, own]);

  const map = useMemo((): LoadedMap | undefined => {
    if (slotLayer === undefined || palette === undefined || scene === undefined || list.data === undefined)
      return undefined;
    const { slots, onTopFrom, legend } = slotLayer;
    const common = {
      scene,
      list: list.data,
      figure: slotLayer.figure,
      layer: { slots, palette, ...(onTopFrom !== undefined && { onTopFrom }) },
      legend,
      source: valueSource,
    };
    if (slotLayer.kind === 'pair') return { ...common, ...(pair.sources && { pair: pair.sources }) };
    if (slotLayer.kind === 'groups') {
      const terms = valueSource?.from === 'obs' ? termsByColumn?.get(valueSource.name) : undefined;
      return { ...common, ...(slotLayer.column && { codes: slotLayer.column }), ...(terms && { terms }) };
    }
    const { low, high } = slotLayer.figure.domain;
    return {
      ...common,
      values: { column: slotLayer.column, counts: slotLayer.counts, range: own ?? [low, high] },
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `valueSource` is another object each time
  }, [slotLayer, palette, scene, list.data, own, termsByColumn]);
  const missing = list.isSuccess && embedding === undefined;
  const failed = list.error ?? positions.error ?? figure.error ?? values.error ?? pair.error ?? mask.error;
  const error = missing ? new Error('The dataset has no embedding.') : failed;
  const [last, setLast] = useState<LoadedMap>();
  if (map !== undefined && map !== last) setLast(map);
  const isLoading = map === undefined && error === null;
  return { map: isLoading ? last : map, isPending: isLoading, error };
}

function usePair(dataset: MapDataset, content: FigureContent) {
  const { api } = useServices();
  const text = JSON.stringify(pairSourcesOf(content) ?? null);
  const sources = useMemo(() => (JSON.parse(text) as PairSources | null) ?? undefined, [text]);
  const all = [...(sources?.first ?? []), ...(sources?.second ?? [])];
  return useQueries({
    queries: all.map((source) => valuesQuery(api, dataset, source, undefined)),
    combine: (results) => {
      const columns = results.flatMap(({ data }) => (data?.kind === 'levels' ? [data] : []));
      const split = sources?.first.length ?? 0;
      const isWhole = sources !== undefined && columns.length === all.length;
      return {
        sources,
        columns: isWhole ? { first: columns.slice(0, split), second: columns.slice(split) } : undefined,
        error: results.find(({ error }) => error !== null)?.error ?? null,
      };
    },
  });
}

export function useEarlyGenes(
  { filename, version }: MapDataset,
  subset: FigureSource['subset'],
  store: MapStore,
): (genes: readonly string[]) => Promise<void> {
  const { api } = useServices();
  const theme = useShownTheme();
  const client = useQueryClient();
  return async (genes) => {
    const loads = genes.slice(0, maxEarly).flatMap((gene) => {
      const content = { kind: 'gene-umap', gene } as const;
      const source = { dataset_filename: filename, version, subset, content };
      const { embedding: chosen } = store.state;
      return [
        client.prefetchQuery(valuesQuery(api, { filename, version }, { from: 'gene', name: gene }, subset)),
        client.prefetchQuery(figureQuery(api, source, { theme, chosen })),
      ];
    });
    await Promise.all(loads);
  };
}

function slotsOf(
  figure: MapFigure,
  column: CategoryColumn | LevelColumn | Parameters<typeof pairSlots>[1] | undefined,
  about: Parameters<typeof groupSlots>[2],
) {
  if ('first' in figure) {
    if (column === undefined || 'kind' in column) return undefined;
    return { kind: 'pair' as const, figure, ...pairSlots(figure, column, about.mask) };
  }
  if (column !== undefined && !('kind' in column)) return undefined;
  if ('groups' in figure) {
    const codes = column?.kind === 'categories' ? column : undefined;
    return { kind: 'groups' as const, figure, column: codes, ...groupSlots(figure, codes, about) };
  }
  if (column?.kind !== 'levels') return undefined;
  const rangeLayer = rangeSlots(figure, column, about.mask);
  return { kind: 'range' as const, figure, column, counts: cellsByLevel(rangeLayer.slots), ...rangeLayer };
}

/** Column that colours the cells of a map figure; `undefined` if all are one group. */
function valueSourceOf(content: FigureContent, list: MapColumnList): ValueSource | undefined {
  // Its colours are of several columns.
  if (content.kind === 'pair-umap') return undefined;
  for (const input of Object.values(inputsOf(content)).flat()) {
    switch (input.from) {
      case 'gene':
        return { from: 'gene', name: input.gene };
      case 'obs':
        return { from: 'obs', name: input.column };
      case 'score': {
        const { kind: _, ...score } = input.score as typeof input.score & { kind?: string };
        return { from: 'score', content: score };
      }
      case 'column': {
        const column =
          input.of === 'groups' ? groupsColumn(list.obs) : list.obs.find(({ role }) => role === input.of);
        return column && { from: 'obs', name: column.name };
      }
      default:
    }
  }
  return undefined;
}
