import type { FigureSource } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import {
  displaysQuery,
  inDisplayOrder,
  namesText,
  useCategoryNames,
} from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { HoveredCell } from './hovered-cell.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { type MapDataset, valuesQuery } from './map-columns.ts';
import { partOfCategory } from './map-layer.ts';
import { MapColours } from './map-colours.tsx';
import { type CardLook, type MapStore, shownLook, useMapState, useMapStore } from './map-store.ts';
import { type LoadedMap, useMapLayer } from './use-map-layer.ts';

interface LiveMapProps {
  source: FigureSource;
  version: string;
  card: string;
  name: string;
  range?: readonly [number, number] | undefined;
  /** The legend opens on demand; default false. */
  isCompact?: boolean | undefined;
  /** Name of the colours of `source`, as in “As the image”; default: the image. */
  original?: string;
  onWords?: ((words: FigureWords | undefined) => void) | undefined;
  children: ReactNode;
}

export function LiveMap({
  source,
  version,
  card,
  name,
  range,
  isCompact = false,
  original = 'the image',
  onWords,
  children,
}: LiveMapProps) {
  const store = useMapStore(source.dataset_filename);
  const look = useMapState(store, (state) => shownLook(state, card));
  const { map, isPending, error } = useMapLayer({ source, version, look, range, store });
  const words = map?.figure.words;
  useEffect(() => {
    // Until it is known, what is shown in its place tells its own.
    if (words !== undefined) onWords?.(words);
  }, [onWords, words]);
  useEffect(() => {
    if (error !== null) console.warn('A map is shown as an image.', error);
  }, [error]);
  if (error !== null && map === undefined) {
    if (look.content === undefined) return children;
    return (
      <NoColumn
        column={look.content.kind === 'gene-umap' ? look.content.gene : look.content.column}
        original={original}
        onBack={() => store.setLook(card, { content: undefined })}
      />
    );
  }
  if (map === undefined) return <LoadingMap />;
  const dataset = { filename: source.dataset_filename, version };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it keeps what is pressed from the card
    <div
      role="group"
      aria-label={`Map of ${name}`}
      aria-busy={isPending}
      className={cn(
        '[container-type:size] size-full [&_canvas]:transition-opacity',
        // Only cells are faint: faint words cannot be read.
        isPending && '[&_canvas]:opacity-60',
      )}
      // What is pressed here moves the map, not the card that it is in.
      onMouseDown={(event) => event.stopPropagation()}
      onTouchStart={(event) => event.stopPropagation()}
    >
      <div className={cn('flex size-full', isCompact ? 'flex-col' : 'upright-card:flex-col')}>
        <div className="relative min-h-0 min-w-0 flex-1">
          <Maps map={map} store={store} card={card} look={look} dataset={dataset} name={name} />
          <PickPrompt store={store} />
          <HoveredCell map={map} store={store} card={card} dataset={dataset} />
        </div>
        <MapColours
          {...{ map, store, card, look, source, name, isCompact, original }}
          filename={dataset.filename}
        />
      </div>
    </div>
  );
}

function PickPrompt({ store }: { store: MapStore }) {
  const prompt = useMapState(store, (state) => state.pick?.prompt);
  if (prompt === undefined) return null;
  return (
    <p
      role="status"
      className="bg-accent text-accent-foreground pointer-events-none absolute inset-x-2 top-1.5 z-10 mx-auto w-fit max-w-full rounded px-2 py-1 text-center text-xs shadow-sm"
    >
      {prompt} Esc cancels.
    </p>
  );
}

function LoadingMap() {
  return (
    <div role="status" className="relative size-full">
      <Skeleton className="bg-surface-2 size-full" />
      <p className="text-muted absolute inset-0 flex items-center justify-center text-xs">
        Loading the cells...
      </p>
    </div>
  );
}

function NoColumn({ column, original, onBack }: { column: string; original: string; onBack: () => void }) {
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-center justify-center gap-2 p-4 text-center text-sm"
    >
      <p className="wrap-anywhere">The cells cannot be colored by “{column}”.</p>
      <Button variant="secondary" size="sm" onClick={onBack}>
        {`Color as in ${original}`}
      </Button>
    </div>
  );
}

interface MapsProps {
  map: LoadedMap;
  store: MapStore;
  card: string;
  look: CardLook;
  dataset: MapDataset;
  name: string;
}

function Maps({ map, store, card, look, dataset, name }: MapsProps) {
  const services = useServices();
  const { source, pair, scene } = map;
  useEffect(() => {
    const sources = [
      ...(source === undefined ? [] : [source]),
      ...(pair?.first ?? []),
      ...(pair?.second ?? []),
    ];
    const forget = sources.map((one) => scene.shows(one));
    return () => forget.forEach((one) => one());
  }, [scene, source, pair]);
  const { split } = look;
  const column = useQuery(
    valuesQuery(
      services.api,
      dataset,
      split === undefined ? undefined : { from: 'obs', name: split },
      undefined,
    ),
  ).data;
  const displays = useQuery(displaysQuery(services, dataset.filename)).data?.displays;
  const display = displays?.find((one) => one.column === split);
  const { slots } = map.layer;
  const parts = useMemo(
    () =>
      split === undefined || column?.kind !== 'categories'
        ? undefined
        : inDisplayOrder(
            column.categories.map((category, code) => ({
              category,
              isEmpty: column.counts[code] === 0,
              ...partOfCategory(slots, column.codes, code),
            })),
            ({ category }) => category,
            display,
          ),
    [split, column, slots, display],
  );
  const names = useCategoryNames(dataset.filename);
  const { summary } = map.figure;
  if (parts === undefined)
    return (
      <MapCanvas
        card={card}
        scene={scene}
        store={store}
        layer={map.layer}
        name={name}
        summary={summary}
        words={map.figure.words}
      />
    );
  const columns = Math.ceil(Math.sqrt(parts.length));
  return (
    <ul className="grid size-full" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {parts.map(({ category, cells, isEmpty, slots: own }) => (
        <li key={category} className="flex min-h-0 min-w-0 flex-col border-r border-b">
          <p className="flex min-w-0 justify-center gap-1 px-1 text-[11px] leading-4">
            <MiddleTruncated
              text={names.ofColumn(split, category)}
              title={namesText(names.ofColumn(split, category), category)}
              className="font-medium"
            />
            <span className="text-muted shrink-0 tabular-nums">{partText(cells, isEmpty)}</span>
          </p>
          <div className="min-h-0 flex-1">
            <MapCanvas
              card={card}
              scene={scene}
              store={store}
              layer={{ ...map.layer, slots: own }}
              name={`${name}, ${names.ofColumn(split, category)}`}
              summary={partText(cells, isEmpty)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Cell count of one part of the figure. `isEmpty`: the dataset has none of them either. */
function partText(cells: number, isEmpty: boolean): string {
  if (cells > 0) return plural(cells, 'cell');
  return isEmpty ? 'no cells' : 'no cells of the subset';
}
