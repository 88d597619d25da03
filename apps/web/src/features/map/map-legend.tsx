import { cameraOf, fit } from '@cellfolio/map';
import { ChevronDown } from 'lucide-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { namesText } from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import { useUserId } from '@/lib/services.ts';
import { cellsOfSlots, changedSelection, type CellSelection } from './cell-bits.ts';
import type { LegendEntry } from './map-layer.ts';
import type { CardLook, MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';
import { countsOfSelection, nameOfSelection } from './selection-name.ts';
import type { LoadedMap } from './use-map-layer.ts';

interface MapLegendProps {
  map: LoadedMap;
  store: MapStore;
  card: string;
  look: CardLook;
}

/** A click shows one category alone, Alt-click hides it, a double click zooms to it, and its box selects its cells. */
export function MapLegend({ map, store, card, look }: MapLegendProps) {
  const { legend, layer, scene } = map;
  const hidden = new Set(look.hidden);
  // A visitor can do nothing with selected cells.
  const isVisitor = useUserId() === '';
  const selection = useMapState(store, (state) => state.selection);
  const hide = (keys: ReadonlySet<string>) =>
    store.setLook(card, { hidden: keys.size === 0 ? undefined : [...keys] });
  const isAlone = ({ key }: LegendEntry) => !hidden.has(key) && hidden.size === legend.length - 1;
  const cellsOf = ({ slot }: LegendEntry) => cellsOfSlots(layer.slots, new Set([slot]));

  // A double click comes after two single ones, and changes nothing that is hidden.
  const hiddenBefore = useRef(look.hidden);
  const press = (entry: LegendEntry, alt: boolean, isSecond: boolean) => {
    if (!isSecond) hiddenBefore.current = look.hidden;
    if (alt) {
      const next = new Set(hidden);
      if (!next.delete(entry.key)) next.add(entry.key);
      hide(next);
      return;
    }
    const others = legend.filter(({ key }) => key !== entry.key).map(({ key }) => key);
    hide(isAlone(entry) ? new Set() : new Set(others));
  };
  const zoomTo = (entry: LegendEntry) => {
    const box = scene.points.boundsOf(cellsOf(entry));
    store.setLook(card, { hidden: hiddenBefore.current });
    store.set({ camera: box === undefined ? fit() : cameraOf(box, scene.size) });
  };
  const tick = (entry: LegendEntry, on: boolean) => {
    const changed = changedSelection(selection, cellsOf(entry), on ? 'add' : 'remove');
    const of = changed && nameOfSelection(changed, { slots: layer.slots, legend, title: titleOfSource(map) });
    store.select(changed && of ? { ...changed, of } : changed);
  };

  return (
    <div
      className="upright-card:min-h-12 flex min-h-(--rows) flex-col"
      style={{ '--rows': `${rowHeight * Math.min(legend.length, minRows)}px` } as CSSProperties}
    >
      <ScrolledList key={legend.length}>
        {legend.map((entry) => (
          <LegendRow
            key={entry.key}
            entry={entry}
            term={map.terms?.get(entry.name ?? entry.label)}
            isHidden={hidden.has(entry.key)}
            isAlone={isAlone(entry)}
            ticked={tickedState(entry, layer.slots, selection)}
            onPress={(alt, isSecond) => press(entry, alt, isSecond)}
            onZoom={() => zoomTo(entry)}
            onTick={isVisitor ? undefined : (on) => tick(entry, on)}
          />
        ))}
      </ScrolledList>
      {hidden.size > 0 && (
        <Button
          variant="link"
          size="inline"
          className="mt-1 self-start text-xs"
          onClick={() => hide(new Set())}
        >
          Show all {formatCount(legend.length)}
        </Button>
      )}
    </div>
  );
}

/** The list of categories; one that is cut off says by how many, and scrolls on by a page. */
function ScrolledList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const [below, setBelow] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const count = () => setBelow(entriesBelow(element));
    count();
    const observer = new ResizeObserver(count);
    observer.observe(element);
    element.addEventListener('scroll', count, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', count);
    };
  }, []);
  return (
    <div className="relative flex min-h-0 flex-col">
      <ul
        ref={list}
        aria-label="Categories"
        className="upright-card:grid upright-card:auto-rows-max upright-card:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] upright-card:gap-x-3 min-h-0 overflow-y-auto overscroll-contain"
      >
        {children}
      </ul>
      {below > 0 && (
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className="from-surface via-surface/90 text-accent absolute inset-x-0 bottom-0 flex h-9 items-end justify-center gap-1 bg-linear-to-t to-transparent pb-0.5 text-[11px] leading-4 font-medium"
          onClick={() => list.current?.scrollBy({ top: list.current.clientHeight - 2 * rowHeight })}
        >
          <ChevronDown className="size-3.5" />
          {formatCount(below)} more
        </button>
      )}
    </div>
  );
}

/** CSS pixels. */
const rowHeight = 24;
/** Minimum number of rows in sight: the rest of the legend gives way first. */
const minRows = 4;

/** Number of entries whose middle is below the visible part of the list. */
function entriesBelow(list: HTMLElement): number {
  const rest = list.scrollHeight - list.clientHeight - list.scrollTop;
  if (rest < rowHeight / 2) return 0;
  const { bottom } = list.getBoundingClientRect();
  return Array.from(list.children).filter((row) => {
    const box = row.getBoundingClientRect();
    return (box.top + box.bottom) / 2 > bottom;
  }).length;
}

interface LegendRowProps {
  entry: LegendEntry;
  /** Ontology ids of the category. */
  term: string | undefined;
  isHidden: boolean;
  isAlone: boolean;
  ticked: boolean | 'indeterminate';
  onPress: (alt: boolean, isSecond: boolean) => void;
  onZoom: () => void;
  onTick: ((on: boolean) => void) | undefined;
}

function LegendRow({ entry, term, isHidden, isAlone, ticked, onPress, onZoom, onTick }: LegendRowProps) {
  const { label, name = label, colour, cells } = entry;
  const described = term === undefined ? namesText(label, name) : `${namesText(label, name)} (${term})`;
  return (
    <li className="hover:bg-surface-2 flex items-center gap-1 overflow-hidden rounded">
      <button
        type="button"
        aria-pressed={isAlone}
        title={`${described}: click to show it alone, Alt-click to hide it, double-click to zoom to it`}
        className={cn(
          'flex min-w-0 flex-1 items-center gap-1.5 rounded py-1 pl-1 text-left text-xs leading-4',
          isHidden && 'text-muted line-through decoration-1',
        )}
        onClick={(event) => onPress(event.altKey, event.detail > 1)}
        onDoubleClick={onZoom}
      >
        <span
          aria-hidden
          className="size-2.5 shrink-0 rounded-full border"
          style={isHidden ? { borderColor: colour } : { borderColor: colour, background: colour }}
        />
        <MiddleTruncated text={label} title={described} />
        <span className="text-muted ml-auto shrink-0 text-[11px] tabular-nums">{formatCount(cells)}</span>
        {isHidden && <span className="sr-only">, hidden</span>}
      </button>
      {onTick && (
        <Checkbox
          aria-label={`Select the cells of ${label}`}
          className="-my-0.5 mr-0"
          checked={ticked}
          onCheckedChange={(on) => onTick(on === true)}
        />
      )}
    </li>
  );
}

function titleOfSource({ source, list }: LoadedMap): string | undefined {
  return source?.from === 'obs' ? list.obs.find(({ name }) => name === source.name)?.title : undefined;
}

function tickedState(
  { slot }: LegendEntry,
  slots: Uint8Array,
  selection: CellSelection | null,
): boolean | 'indeterminate' {
  if (selection === null) return false;
  const { all, chosen } = countsOfSelection(slots, selection);
  if (chosen[slot] === 0) return false;
  return chosen[slot] === all[slot] ? true : 'indeterminate';
}
