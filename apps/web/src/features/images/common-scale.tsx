import { type FigureSource, maxViewerImages } from '@cellfolio/contract';
import { measureOf } from '@cellfolio/figures/content';
import { useQueries } from '@tanstack/react-query';
import { createContext, useContext, useId, useState } from 'react';
import { z } from 'zod';
import { Switch } from '@/components/ui/switch.tsx';
import { useServices } from '@/lib/services.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { pluralWord } from '@/lib/format.ts';
import type { LibraryImage } from './library-image.ts';
import type { FigureRange, ShownRange } from './render-figure.ts';
import { figureRange } from './render-figure.ts';

const key = 'cellfolio:same-scale';
const local = () => localStorage;

/** The measured variable: ranges of the same variable are comparable. */
type Measure = NonNullable<ReturnType<typeof measureOf>>;

const scaleRanges = z
  .array(z.tuple([z.string().max(200), z.number(), z.number()]).refine(([, low, high]) => low < high))
  .max(maxViewerImages);

/** A common range and its unit, as addresses have them. */
export type ScaleRange = z.infer<typeof scaleRanges>[number];

/** Parses ranges out of an address; null for anything else. */
export function readScale(text: string | null): readonly ScaleRange[] | null {
  try {
    const ranges = scaleRanges.safeParse(JSON.parse(text ?? '')).data;
    return ranges?.map(([unit, low, high]) => [currentUnit(unit), low, high]) ?? null;
  } catch {
    return null;
  }
}

/**
 * Addresses that were shared earlier have units in British spelling. Only units of ours are replaced, as a whole: the unit
 * of a user's own column is its title.
 */
function currentUnit(unit: string): string {
  return unit
    .replace(/^(mean )?log-normalised$/, '$1log-normalized')
    .replace(/^(mean )?centred( log ratio \(CLR\))$/, '$1centered$2');
}

export interface CommonScale {
  /** Whether at least two of the images show ranges of one kind. */
  offered: boolean;
  on: boolean;
  turn: (on: boolean) => void;
  /**
   * Common ranges in words, such as '0 to 6.2, log-normalised', or the reason for their absence; empty while it is off.
   */
  text: string;
  /** Common ranges; null while it is off. */
  ranges: readonly ScaleRange[] | null;
  /** Turns it on with ranges of an address, which hold until other images are shown, or off with null. */
  open: (ranges: readonly ScaleRange[] | null, ids: readonly string[]) => void;
  of: (source: FigureSource | null | undefined) => ScaleOfImage | undefined;
}

interface ScaleOfImage {
  /** Absent while unknown, or without a common range. */
  range?: FigureRange;
  pending?: boolean;
}

export const CommonScaleContext = createContext<CommonScale['of']>(() => undefined);

/** The range that an image of the viewer is drawn with; undefined for its own. */
export function useCommonScale(source: FigureSource | null | undefined): ScaleOfImage | undefined {
  return useContext(CommonScaleContext)(source);
}

export function useCommonScaleOf(images: readonly LibraryImage[]): CommonScale {
  const { api } = useServices();
  const [on, setOn] = useState(() => readStored(local, key) === 'on');
  const [opened, setOpened] = useState<{ ranges: readonly ScaleRange[]; ids: string } | null>(null);
  const openedRanges = on && opened?.ids === idsText(images.map(({ id }) => id)) ? opened.ranges : [];
  const ranged = images.flatMap(({ source, missing }) => {
    const measure = source && missing === undefined ? measureOf(source.content) : undefined;
    return source && measure ? [{ source, measure }] : [];
  });
  const comparable = ranged.filter(
    ({ measure }) =>
      openedRanges.length > 0 || ranged.filter((other) => other.measure === measure).length > 1,
  );
  const offered = comparable.length > 0;
  const ranges = useQueries({
    queries: comparable.map(({ source }) => ({
      queryKey: ['figure-range', source],
      queryFn: ({ signal }: { signal: AbortSignal }) => figureRange(api, source, signal),
      enabled: on,
      staleTime: Infinity,
    })),
  });
  const pending = on && ranges.some(({ isPending }) => isPending);
  const scales =
    on && !pending
      ? commonScales(
          comparable,
          ranges.map(({ data }) => data),
          openedRanges,
        )
      : [];
  const alone = on && !pending ? ranges.filter(({ isError }) => isError).length : 0;
  return {
    offered,
    on,
    turn: (next) => {
      setOn(next);
      setOpened(null);
      writeStored(local, key, next ? 'on' : 'off');
    },
    ranges: !on ? null : pending ? openedRanges : scales.map(({ unit, range }) => [unit, ...range]),
    open: (next, ids) => {
      setOn(next !== null);
      setOpened(next && { ranges: next, ids: idsText(ids) });
    },
    text: !on || pending ? '' : scaleText(scales, alone),
    of: (source) => {
      if (!source || !comparable.some((other) => other.source === source)) return undefined;
      if (pending) return { pending };
      const scale = scales.find(({ sources }) => sources.includes(source));
      return scale && { range: scale.range };
    },
  };
}

function idsText(ids: readonly string[]): string {
  return ids.toSorted().join('\n');
}

interface Scale {
  range: FigureRange;
  unit: string;
  sources: FigureSource[];
}

/**
 * From the minimum of the lower ends to the maximum of the upper ends, over comparable ranges and the given one of
 * their unit.
 */
function commonScales(
  images: readonly { source: FigureSource; measure: Measure }[],
  ranges: readonly (ShownRange | undefined)[],
  openedRanges: readonly ScaleRange[],
): Scale[] {
  const scales = new Map<string, Scale>(
    openedRanges.map(([unit, low, high]) => [unit, { unit, range: [low, high], sources: [] }]),
  );
  images.forEach(({ source, measure }, place) => {
    const own = ranges[place];
    if (own === undefined) return;
    const unit = unitOf(measure, own.unit);
    const scale = scales.get(unit) ?? { range: own.range, unit, sources: [] };
    scales.set(unit, {
      unit,
      range: [Math.min(scale.range[0], own.range[0]), Math.max(scale.range[1], own.range[1])],
      sources: [...scale.sources, source],
    });
  });
  return Array.from(scales.values()).filter(
    ({ unit, sources, range: [low, high] }) =>
      (sources.length > 1 || (sources.length > 0 && openedRanges.some(([of]) => of === unit))) && low < high,
  );
}

/**
 * Violins name the genes of a score in its unit, but all scores are of one kind. Means of groups are smaller than
 * values of cells.
 */
function unitOf(measure: Measure, unit: string): string {
  if (measure === 'score') return 'scores';
  const short = unit.replace(/ expression$/, '');
  return measure === 'mean' ? `mean ${short}` : short;
}

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const shown = (value: number) => number.format(value).replace('-', '−');

function scaleText(scales: readonly Scale[], alone: number): string {
  const texts = scales.map(({ range, unit }) => `${shown(range[0])} to ${shown(range[1])}, ${unit}`);
  if (texts.length === 0) return 'These images share no unit and range: each keeps its own scale.';
  const others =
    alone === 0 ? [] : [`${alone} without a known range ${pluralWord(alone, 'keeps its', 'keep their')} own`];
  return [...texts, ...others].join(' · ');
}

export function CommonScaleSwitch({ scale }: { scale: CommonScale }) {
  const id = useId();
  return (
    <div className="flex h-5 shrink-0 items-center gap-2 text-xs">
      <Switch id={id} checked={scale.on} onCheckedChange={scale.turn} />
      <label htmlFor={id} className="shrink-0 font-medium">
        Same scale
      </label>
      <p className="text-muted min-w-0 truncate tabular-nums" title={scale.text} aria-live="polite">
        {scale.text}
      </p>
    </div>
  );
}
