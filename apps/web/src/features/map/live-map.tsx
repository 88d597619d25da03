import type { FigureSource, MapColumnList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Grid2x2 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { pairGroups, pairLevels, pairShade } from '@cellfolio/figures/content';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import {
  CategoryDisplayButton,
  displaysQuery,
  inDisplayOrder,
  namesText,
  useCategoryNames,
} from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import type { FigureWords } from '@/lib/figure-words.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { ColourBar } from './colour-bar.tsx';
import { ColumnPicker, noColours, noSplit } from './column-picker.tsx';
import { HoveredCell } from './hovered-cell.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { type MapDataset, valuesQuery } from './map-columns.ts';
import { partOfCategory } from './map-layer.ts';
import { MapLegend } from './map-legend.tsx';
import { type CardLook, columnOfLook, type MapStore, useMapState, useMapStore } from './map-store.ts';
import { type LoadedMap, useMapLayer } from './use-map-layer.ts';
import type { PairFigure } from './pair-layer.ts';

interface LiveMapProps {
  source: FigureSource;
  version: string;
  card: string;
  name: string;
  range?: readonly [number, number] | undefined;
  onWords?: ((words: FigureWords | undefined) => void) | undefined;
  children: ReactNode;
}

const noLook: CardLook = {};

export function LiveMap({ source, version, card, name, range, onWords, children }: LiveMapProps) {
  const store = useMapStore(source.dataset_filename);
  const look = useMapState(store, (state) => state.looks.get(card)) ?? noLook;
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
      <div className="upright-card:flex-col flex size-full">
        <div className="relative min-h-0 min-w-0 flex-1">
          <Maps map={map} store={store} card={card} look={look} dataset={dataset} name={name} />
          <PickPrompt store={store} />
          <HoveredCell map={map} store={store} card={card} dataset={dataset} />
        </div>
        <aside
          aria-label={`Colors of ${name}`}
          className="upright-card:max-h-9/20 upright-card:w-auto upright-card:border-t upright-card:border-l-0 flex w-34 shrink-0 flex-col gap-1.5 overflow-x-hidden overflow-y-auto border-l px-2 py-1.5 @min-[28rem]:w-44 @min-[60rem]:w-64"
        >
          <ColourHeader map={map} store={store} card={card} look={look} source={source} />
          {map.values !== undefined && 'domain' in map.figure ? (
            <ColourBar values={map.values} figure={map.figure} {...{ store, card, look }} />
          ) : 'first' in map.figure ? (
            <PairLegend figure={map.figure} />
          ) : (
            <>
              <MapLegend {...{ map, store, card, look }} />
              <CategoryDisplayButton filename={dataset.filename} column={displayedColumn(map)} />
            </>
          )}
          <MapFacts map={map} store={store} />
        </aside>
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

function displayedColumn({ source, list }: LoadedMap): MapColumnList['obs'][number] | undefined {
  if (source?.from !== 'obs') return undefined;
  return list.obs.find(({ name }) => name === source.name);
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

function NoColumn({ column, onBack }: { column: string; onBack: () => void }) {
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-center justify-center gap-2 p-4 text-center text-sm"
    >
      <p className="wrap-anywhere">The cells cannot be colored by “{column}”.</p>
      <Button variant="secondary" size="sm" onClick={onBack}>
        Color as in the image
      </Button>
    </div>
  );
}

function ColourHeader({
  map,
  store,
  card,
  look,
  source,
}: {
  map: LoadedMap;
  store: MapStore;
  card: string;
  look: CardLook;
  source: FigureSource;
}) {
  const own = source.content.kind === 'obs-umap' ? source.content.column : undefined;
  const title = map.source?.from === 'obs' ? titleOf(map, map.source.name) : map.figure.title;
  return (
    <div className="flex items-center gap-0.5">
      <ColumnPicker
        label="Color by"
        columns={map.list.obs}
        problemOf={noColours}
        chosen={look.content === undefined ? own : columnOfLook(look)}
        none="As the image"
        onChoose={(column) =>
          store.setLook(card, {
            content: column === undefined || column === own ? undefined : { kind: 'obs-umap', column },
            hidden: undefined,
            range: undefined,
            log: undefined,
          })
        }
      >
        <Button
          variant="ghost"
          size="xs"
          aria-label={`Color by: ${title}`}
          title={title}
          className="-ml-1.5 h-auto min-h-7 min-w-0 flex-1 justify-start gap-1 px-1.5 py-1 text-left font-medium whitespace-normal"
        >
          <span className="line-clamp-3 min-w-0 wrap-anywhere">{title}</span>
          <ChevronDown aria-hidden className="size-3.5!" />
        </Button>
      </ColumnPicker>
      <ColumnPicker
        label="Split by"
        columns={map.list.obs}
        problemOf={noSplit}
        chosen={look.split}
        none="Not split"
        onChoose={(split) => store.setLook(card, { split })}
      >
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={
            look.split === undefined ? 'Split by a column' : `Split by: ${titleOf(map, look.split)}`
          }
          title="Split by a column"
          className={cn('size-6', look.split !== undefined && 'bg-accent-soft text-accent-soft-foreground')}
        >
          <Grid2x2 aria-hidden className="size-3.5!" />
        </Button>
      </ColumnPicker>
    </div>
  );
}

function titleOf({ list }: LoadedMap, column: string): string {
  return list.obs.find(({ name }) => name === column)?.title ?? column;
}

function MapFacts({ map, store }: { map: LoadedMap; store: MapStore }) {
  const density = useMapState(store, (state) => state.density);
  const unplaced = map.figure.counts.withoutPosition;
  const order = density
    ? 'Mean color of the cells in each pixel'
    : (map.values ?? map.pair) !== undefined && map.layer.onTopFrom !== undefined
      ? 'Expressing cells on top, points in random order'
      : map.layer.onTopFrom === undefined
        ? 'Points drawn in random order'
        : 'Chosen groups on top, points in random order';
  return (
    <div className="text-muted mt-auto flex flex-col text-[11px] leading-4">
      {map.values !== undefined && (
        // A share stays with its sign.
        <p className="tabular-nums">{map.figure.summary.replaceAll(/(?<=<) | (?=%)/g, '\u00a0')}</p>
      )}
      {map.values === undefined && unplaced > 0 && (
        <p className="tabular-nums">{formatCount(unplaced)} without coordinates</p>
      )}
      <p>{order}</p>
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

const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const maxLevel = pairLevels - 1;

function PairLegend({ figure }: { figure: PairFigure }) {
  const { first, second, unit, colours } = figure;
  const colour = (right: number, up: number) => colours.shades[pairShade(right, up)]!;
  const endOf = ({ high, clipped }: PairFigure['first']) => `${clipped ? '≥ ' : ''}${format.format(high)}`;
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="text-muted text-[11px] leading-4 wrap-anywhere">{unit}</p>
      <div className="grid max-w-40 grid-cols-[auto_minmax(0,1fr)] gap-x-1.5 gap-y-0.5">
        <div className="flex max-h-32 flex-col items-end justify-between tabular-nums">
          <span>{endOf(second)}</span>
          <span className="max-h-20 min-h-0 rotate-180 truncate italic [writing-mode:vertical-rl]">
            {second.label}
          </span>
          <span>0</span>
        </div>
        <div
          role="img"
          aria-label={`Colors: ${first.label} from 0 to ${endOf(first)} rightwards, ${second.label} from 0 to ${endOf(second)} upwards`}
          className="grid aspect-square"
          style={{ gridTemplateColumns: `repeat(${pairLevels}, 1fr)` }}
        >
          {Array.from({ length: pairLevels ** 2 }, (_, place) => {
            const [right, down] = [place % pairLevels, Math.floor(place / pairLevels)];
            return <span key={place} aria-hidden style={{ background: colour(right, maxLevel - down) }} />;
          })}
        </div>
        <span aria-hidden />
        <div className="flex min-w-0 justify-between gap-1 tabular-nums">
          <span>0</span>
          <span className="truncate italic">{first.label}</span>
          <span>{endOf(first)}</span>
        </div>
      </div>
      <ul aria-label="Cells" className="mt-1 flex flex-col gap-1">
        {pairGroups(figure).map(({ label, cells, colour: shown }) => (
          <li key={label} className="flex min-w-0 items-center gap-1.5">
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-full border"
              style={{ borderColor: shown, background: shown }}
            />
            <MiddleTruncated text={label} />
            <span className="text-muted ml-auto shrink-0 text-[11px] tabular-nums">{formatCount(cells)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
