import type { FigureSource, MapColumnList } from '@cellfolio/contract';
import { pairGroups, pairLevels, pairShade } from '@cellfolio/figures/content';
import { ChevronDown, Grid2x2 } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { CategoryDisplayButton } from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { ColourBar, rampGradient, rangeTexts } from './colour-bar.tsx';
import { ColumnPicker, noColours, noSplit } from './column-picker.tsx';
import { MapLegend } from './map-legend.tsx';
import { type CardLook, columnOfLook, type MapStore, useMapState } from './map-store.ts';
import type { PairFigure } from './pair-layer.ts';
import type { LoadedMap } from './use-map-layer.ts';

interface MapColoursProps {
  map: LoadedMap;
  store: MapStore;
  card: string;
  look: CardLook;
  source: FigureSource;
  name: string;
  filename: string;
  isCompact: boolean;
  original: string;
}

/** Legend of a map: beside or below it, or collapsed to a line that opens it. */
export function MapColours({ isCompact, ...props }: MapColoursProps) {
  const label = `Colors of ${props.name}`;
  if (!isCompact) {
    return (
      <aside
        aria-label={label}
        className="upright-card:max-h-9/20 upright-card:w-auto upright-card:border-t upright-card:border-l-0 flex w-40 shrink-0 flex-col gap-1.5 overflow-x-hidden overflow-y-auto border-l px-2 py-1.5 @min-[28rem]:w-44 @min-[60rem]:w-64"
      >
        <Colours {...props} />
      </aside>
    );
  }
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          title="Show the legend"
          className="h-6 w-full min-w-0 shrink-0 gap-1.5 rounded-none border-t px-2 text-[11px] font-normal tabular-nums"
        >
          <span className="sr-only">{`${label}: ${collapsedText(props.map)}`}</span>
          <span aria-hidden className="contents">
            <CollapsedColours map={props.map} />
          </span>
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label={label}
        align="end"
        className="flex max-h-(--radix-popover-content-available-height) w-64 flex-col gap-1.5 overflow-y-auto p-3"
      >
        <Colours {...props} />
      </PopoverContent>
    </Popover>
  );
}

function Colours({ map, store, card, look, source, filename, original }: Omit<MapColoursProps, 'isCompact'>) {
  return (
    <>
      <ColourHeader {...{ map, store, card, look, source, original }} />
      {map.values !== undefined && 'domain' in map.figure ? (
        <ColourBar values={map.values} figure={map.figure} {...{ store, card, look }} />
      ) : 'first' in map.figure ? (
        <PairLegend figure={map.figure} />
      ) : (
        <>
          <MapLegend {...{ map, store, card, look }} />
          <CategoryDisplayButton filename={filename} column={displayedColumn(map)} />
        </>
      )}
      <MapFacts map={map} store={store} />
    </>
  );
}

function collapsedText({ values, figure, legend }: LoadedMap): string {
  if (values !== undefined && 'domain' in figure) return rangeTexts(values).join(' to ');
  if ('first' in figure) return `${figure.first.label} and ${figure.second.label}`;
  return plural(legend.length, 'category', 'categories');
}

const maxDots = 10;

function CollapsedColours({ map }: { map: LoadedMap }) {
  const { values, figure, legend } = map;
  if (values !== undefined && 'domain' in figure) {
    const [low, high] = rangeTexts(values);
    return (
      <>
        <span>{low}</span>
        <span
          aria-hidden
          className="h-2 min-w-0 flex-1 rounded-sm"
          style={{ background: rampGradient(figure.colours.ramp) }}
        />
        <span>{high}</span>
      </>
    );
  }
  return (
    <>
      {!('first' in figure) && (
        <span aria-hidden className="flex gap-0.5">
          {legend.slice(0, maxDots).map(({ key, colour }) => (
            <span key={key} className="size-2 rounded-full" style={{ background: colour }} />
          ))}
        </span>
      )}
      <span className="min-w-0 truncate">{collapsedText(map)}</span>
      <ChevronDown aria-hidden className="text-muted ml-auto size-3.5!" />
    </>
  );
}

function displayedColumn({ source, list }: LoadedMap): MapColumnList['obs'][number] | undefined {
  if (source?.from !== 'obs') return undefined;
  return list.obs.find(({ name }) => name === source.name);
}

function ColourHeader({
  map,
  store,
  card,
  look,
  source,
  original,
}: Pick<MapColoursProps, 'map' | 'store' | 'card' | 'look' | 'source' | 'original'>) {
  const own = source.content.kind === 'obs-umap' ? source.content.column : undefined;
  const title = map.source?.from === 'obs' ? titleOf(map, map.source.name) : map.figure.title;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-1">
      <ColumnPicker
        label="Color by"
        columns={map.list.obs}
        problemOf={noColours}
        chosen={look.content === undefined ? own : columnOfLook(look)}
        none={`As ${original}`}
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
          className="-ml-1.5 h-auto min-h-7 max-w-full min-w-0 justify-start gap-1 px-1.5 py-1 text-left font-medium whitespace-normal"
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
          size="xs"
          aria-label={look.split === undefined ? 'Split map' : `Split by: ${titleOf(map, look.split)}`}
          title="Split map: one part for each category of a column"
          className={cn(
            '-mx-1.5 h-6 max-w-full min-w-0 gap-1 px-1.5 font-normal',
            look.split !== undefined && 'bg-accent-soft text-accent-soft-foreground',
          )}
        >
          <Grid2x2 aria-hidden className="size-3.5!" />
          {look.split === undefined ? (
            'Split'
          ) : (
            <MiddleTruncated text={`Split by ${titleOf(map, look.split)}`} />
          )}
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
    ? 'Mean color of the cells in each pixel, stronger where there are more'
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
