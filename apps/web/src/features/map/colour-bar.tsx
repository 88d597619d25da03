import { geneClip, scoreClip } from '@cellfolio/figures/content';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { percentileOf } from './map-layer.ts';
import type { CardLook, MapStore } from './map-store.ts';
import type { LoadedMap } from './use-map-layer.ts';

interface ColourBarProps {
  values: NonNullable<LoadedMap['values']>;
  figure: Extract<LoadedMap['figure'], { domain: unknown }>;
  store: MapStore;
  card: string;
  look: CardLook;
}

const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const shown = (value: number) => format.format(value).replace('-', '−');

export function ColourBar({ values, figure, store, card, look }: ColourBarProps) {
  const { column, counts, range } = values;
  const [low, high] = range;
  const from = Math.min(low, column.range[0], ...(figure.colours.zero === undefined ? [] : [0]));
  const to = Math.max(high, column.range[1]);
  const extent = to > from ? to - from : 1;
  const shareOf = (value: number) => (value - from) / extent;
  const setRange = (next: readonly [number, number]) =>
    next[0] < next[1] && store.setLook(card, { range: next });
  const move = (end: 0 | 1, value: number) => {
    const minSpan = extent / 500;
    const within = Math.min(to, Math.max(from, value));
    setRange(end === 0 ? [Math.min(within, high - minSpan), high] : [low, Math.max(within, low + minSpan)]);
  };
  if (column.missing === column.cells) return <p className="text-muted text-xs">No cell has a value.</p>;
  const unit = look.log === true ? `log(1 + ${figure.unit})` : figure.unit;
  const beyond = hasBeyond(values);
  const [lowText, highText] = rangeTexts(values);
  const isDefault = low === figure.domain.low && high === figure.domain.high;
  const clip = isDefault ? defaultClip(beyond, column.zero) : '';
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="text-muted text-[11px] leading-4 wrap-anywhere">{unit}</p>
      <Histogram column={column} counts={counts} from={from} extent={extent} />
      <div className="relative mx-1.5 h-3">
        <div
          aria-hidden
          className="h-full rounded-sm"
          style={{
            background: rampGradient(figure.colours.ramp, (share) => shareOf(low + (high - low) * share)),
          }}
        />
        <Handle
          label="Lower end of the colors"
          value={low}
          {...{ from, to }}
          onMove={(value) => move(0, value)}
        />
        <Handle
          label="Upper end of the colors"
          value={high}
          {...{ from, to }}
          onMove={(value) => move(1, value)}
        />
      </div>
      {/* Below their handles, as far as both have room. */}
      <div
        className="flex justify-between gap-1 whitespace-nowrap tabular-nums"
        style={{
          paddingLeft: `${Math.min(30, 100 * shareOf(low))}%`,
          paddingRight: `${Math.min(30, 100 * (1 - shareOf(high)))}%`,
        }}
      >
        <span>{lowText}</span>
        <span>{highText}</span>
      </div>
      {clip !== '' && (
        <p
          className="text-muted text-[11px] leading-4"
          title="So that a few extreme cells do not flatten the colors of all others; cells beyond an end get its color"
        >
          {clip}
        </p>
      )}
      <RangeButtons
        {...{ values, store, card, look }}
        isFull={low === from && high === to}
        onRange={setRange}
        full={[from, to]}
      />
    </div>
  );
}

interface RangeButtonsProps extends Pick<ColourBarProps, 'values' | 'store' | 'card' | 'look'> {
  full: readonly [number, number];
  isFull: boolean;
  onRange: (range: readonly [number, number]) => void;
}

function RangeButtons({ values, store, card, look, full, isFull, onRange }: RangeButtonsProps) {
  const { column, counts, range } = values;
  const [low, high] = range;
  const percentiles = [percentileOf(column, counts, 0.01), percentileOf(column, counts, 0.99)] as const;
  return (
    <div className="flex flex-wrap gap-1">
      <BarButton
        on={look.range !== undefined && low === percentiles[0] && high === percentiles[1]}
        title={
          column.zero
            ? 'Colors from the 1st to the 99th percentile of the cells that express it'
            : 'Colors from the 1st to the 99th percentile'
        }
        onClick={() => onRange(percentiles)}
      >
        1–99 %
      </BarButton>
      <BarButton
        on={isFull}
        title="Colors from the lowest to the highest value"
        onClick={() => onRange(full)}
      >
        Full
      </BarButton>
      {column.counts && (
        <BarButton
          on={look.log === true}
          title="Colors by log(1 + value)"
          onClick={() => store.setLook(card, { log: look.log === true ? undefined : true })}
        >
          Log
        </BarButton>
      )}
      {look.range !== undefined && (
        <BarButton
          on={false}
          title="Colors as in the figure"
          onClick={() => store.setLook(card, { range: undefined })}
        >
          Reset
        </BarButton>
      )}
    </div>
  );
}

/** Ends of the colours in words. */
export function rangeTexts(values: ColourBarProps['values']): [low: string, high: string] {
  const [low, high] = values.range;
  const beyond = hasBeyond(values);
  return [`${beyond.below ? '≤ ' : ''}${shown(low)}`, `${beyond.above ? '≥ ' : ''}${shown(high)}`];
}

/** `placeOf` a share of the ramp is its share of the width. */
export function rampGradient(ramp: readonly string[], placeOf = (share: number) => share): string {
  const stops = ramp.map((colour, at) => `${colour} ${(100 * placeOf(at / (ramp.length - 1))).toFixed(2)}%`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

function hasBeyond({ column, counts, range: [low, high] }: ColourBarProps['values']) {
  const step = (column.range[1] - column.range[0]) / 253;
  const has = (isBeyond: (value: number) => boolean) =>
    column.values.some((value, level) => level > 0 && counts[level]! > 0 && isBeyond(value));
  return { below: has((value) => value < low - step), above: has((value) => value > high + step) };
}

function defaultClip({ below, above }: ReturnType<typeof hasBeyond>, ofGene: boolean): string {
  const { high } = ofGene ? geneClip : scoreClip;
  const ends = [...(below ? [scoreClip.low.words] : []), ...(above ? [high.words] : [])];
  return ends.length === 0 ? '' : `Clipped at the ${ends.join(' and ')} percentile`;
}

interface BarButtonProps {
  on: boolean;
  title: string;
  onClick: () => void;
  children: string;
}

function BarButton({ on, title, onClick, children }: BarButtonProps) {
  return (
    <Button
      variant="secondary"
      aria-pressed={on}
      title={title}
      className={cn('h-6 px-1.5 text-[11px]', on && 'border-accent text-accent')}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

interface HandleProps {
  label: string;
  value: number;
  from: number;
  to: number;
  onMove: (value: number) => void;
}

function Handle({ label, value, from, to, onMove }: HandleProps) {
  const dragging = useRef(false);
  const extent = to > from ? to - from : 1;
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (!dragging.current) return;
    const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect();
    onMove(from + ((event.clientX - left) / width) * extent);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    const by = new Map(Object.entries(steps)).get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    onMove(value + (by * extent) / 100);
  };
  return (
    <span
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={value}
      aria-valuetext={shown(value)}
      className="border-foreground bg-surface absolute -top-1 h-5 w-2.5 -translate-x-1/2 cursor-ew-resize touch-none rounded-sm border shadow-sm"
      style={{ left: `${(100 * (value - from)) / extent}%` }}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={follow}
      onPointerUp={() => (dragging.current = false)}
      onPointerCancel={() => (dragging.current = false)}
      onKeyDown={onKeyDown}
    />
  );
}

const bins = 40;

/**
 * Heights are proportional to the square root of the cell count, so that small bars stay visible; cells at zero are
 * left out.
 */
function Histogram({
  column,
  counts,
  from,
  extent,
}: Pick<NonNullable<LoadedMap['values']>, 'column' | 'counts'> & { from: number; extent: number }) {
  const heights = new Array<number>(bins).fill(0);
  for (let level = 1; level < 255; level++) {
    const bin = Math.floor(((column.values[level]! - from) / extent) * bins);
    if (counts[level]! > 0) heights[Math.min(bins - 1, Math.max(0, bin))]! += counts[level]!;
  }
  const highest = Math.sqrt(Math.max(1, ...heights));
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${bins} 10`}
      preserveAspectRatio="none"
      className="fill-surface-3 mx-1.5 h-6 [@container(max-height:15rem)]:hidden"
    >
      <path
        d={heights.map((cells, bin) => `M${bin} 10h.9v${(-10 * Math.sqrt(cells)) / highest}h-.9z`).join('')}
      />
    </svg>
  );
}
