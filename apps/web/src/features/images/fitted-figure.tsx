import { type FigureSource, type FigureView, maxViewPixels } from '@cellfolio/contract';
import { isMap } from '@cellfolio/figures/content';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type Displayed, useDisplayed } from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import { type FigureWords, readFigureWords } from '@/lib/figure-words.ts';
import { useServices } from '@/lib/services.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import fontAddress from '@/lib/fonts/inter-common.woff2?url';
import { useCommonOrder } from './common-order.tsx';
import { useCommonScale } from './common-scale.tsx';
import { useObjectUrl } from './image-data.ts';
import { useImageFile } from './stored-image-file.ts';
import { LibraryFigure } from './library-figure.tsx';
import type { LibraryImage } from './library-image.ts';
import { renderFigure } from './render-figure.ts';

/** Cache time of a drawn figure in milliseconds, for returning to its size. */
const keptFor = 60_000;

interface FittedFigureProps {
  image: LibraryImage;
  alt: string;
  zoom?: number;
  /** Shrinks the type instead of leaving groups out, where it can be zoomed. */
  whole?: boolean;
  onWords?: ((words: FigureWords | undefined) => void) | undefined;
}

export function FittedFigure({ image, alt, zoom = 1, whole = false, onWords }: FittedFigureProps) {
  const source = (image.missing === undefined ? image.source : null) ?? null;
  const displayed = useDisplayed(source?.dataset_filename);
  const { words: ofFile } = useImageFile(image);
  const [drawn, setDrawn] = useState<FigureWords>();
  const words = drawn ?? ofFile;
  useEffect(() => onWords?.(words), [onWords, words]);
  return (
    <FittedOver source={source} displayed={displayed} zoom={zoom} whole={whole} onWords={setDrawn}>
      {(covered) => <LibraryFigure image={image} alt={alt} words={words} withRetry={!covered} />}
    </FittedOver>
  );
}

interface FittedOverProps {
  /** Source of the drawn figure; `null` leaves the picture unchanged. */
  source: FigureSource | null;
  /** Absent for a figure with its original order and colours. */
  displayed?: Displayed | undefined;
  zoom?: number;
  whole?: boolean;
  /** Keeps the layout of the file and only uses the colours of the theme. */
  asFile?: boolean;
  onWords?: ((words: FigureWords | undefined) => void) | undefined;
  /** Renders the picture; `covered` once the drawn figure is on top. */
  children: (covered: boolean, drawing: DrawingState) => ReactNode;
}

export interface DrawingState {
  pending: boolean;
  /** Error of the drawing; `null` without a failure. */
  error: Error | null;
  retry: () => void;
}

/**
 * A picture, covered by the same figure drawn for its container in the page's theme once that has loaded. The picture
 * stays when its source is unknown, and when it can no longer be drawn: `children` reports this.
 */
export function FittedOver({
  source,
  displayed,
  zoom = 1,
  whole = false,
  asFile = false,
  onWords,
  children,
}: FittedOverProps) {
  const place = useRef<HTMLDivElement>(null);
  const size = useRestingSize(place);
  const theme = useShownTheme();
  // A chart is an SVG, which is sharp at any size that it is shown in.
  const format = source === null || isMap(source.content) ? 'png' : 'svg';
  const ratio = format === 'png' ? sharpness(zoom) : 1;
  const requestedView = size && viewOf(size, { ratio, theme, whole, ...(asFile && { as_file: true }) });
  const { url, view, words, error, isFetching, retry } = useDrawn(
    { source, displayed },
    format,
    requestedView,
  );
  useEffect(() => onWords?.(words), [onWords, words]);
  const [loaded, setLoaded] = useState(false);
  // White beneath a dark figure would shine through at its edges.
  const covered = loaded && url !== null;
  // A place too small to draw for waits for nothing.
  const awaited = source !== null && !covered && (size === null || requestedView !== null);
  const failed = error !== null && !isFetching;
  const drawing = { pending: awaited && !failed, error: failed ? error : null, retry };
  return (
    <div ref={place} className="relative size-full">
      <div className={cn('size-full', covered && 'opacity-0', view?.theme === 'dark' && 'print:opacity-100')}>
        {children(covered, drawing)}
      </div>
      {url !== null && view !== null && (
        <div
          className={cn(
            'bg-surface absolute inset-0 flex items-center justify-center',
            !loaded && 'opacity-0',
            view.theme === 'dark' && 'print:hidden',
          )}
        >
          <img
            src={url}
            alt=""
            decoding="async"
            draggable={false}
            className="max-h-full max-w-full object-contain"
            style={{ width: view.width, height: view.height }}
            onLoad={() => setLoaded(true)}
          />
        </div>
      )}
    </div>
  );
}

/** In steps of two, so that not every turn of a wheel requests another file. */
function sharpness(zoom: number): number {
  return devicePixelRatio * 2 ** Math.ceil(Math.log2(zoom) - 1e-9);
}

interface RenderedFigure {
  url: string | null;
  view: FigureView | null;
  words: FigureWords | undefined;
}

const nothingDrawn: RenderedFigure = { url: null, view: null, words: undefined };

/** The file for a view and its address; until it has loaded, the previous one. */
function useDrawn(
  { source, displayed }: Pick<FittedOverProps, 'source' | 'displayed'>,
  format: 'png' | 'svg',
  view: FigureView | null,
): RenderedFigure & { error: Error | null; isFetching: boolean; retry: () => void } {
  const { api } = useServices();
  const client = useQueryClient();
  const scale = useCommonScale(source);
  const range = scale?.range;
  const displayedSource = source && displayed ? displayed.of(source) : source;
  const alike = useCommonOrder(source);
  const order = alike?.order;
  const isPending = [scale, alike, displayed].some((one) => one?.pending === true);
  const drawing = useQuery({
    queryKey: ['fitted-figure', displayedSource, view, range, order],
    queryFn: async ({ signal }) => {
      const setting = { view: view as FigureView, range, order };
      const file = await renderFigure(api, displayedSource as FigureSource, format, signal, setting);
      const words = await readFigureWords(file);
      if (format === 'png') return { file, view, words };
      const font = await client.fetchQuery({
        queryKey: ['page-font'],
        queryFn: pageFont,
        staleTime: Infinity,
      });
      return { file: await withFont(file, font), view, words };
    },
    enabled: displayedSource !== null && view !== null && !isPending,
    staleTime: Infinity,
    gcTime: keptFor,
    placeholderData: keepPreviousData,
  });
  const url = useObjectUrl(drawing.data?.file ?? null);
  const [shown, setShown] = useState<RenderedFigure>(nothingDrawn);
  // The URL follows one render after the file; until then the previous one is used.
  const now = { url, view: drawing.data?.view ?? null, words: drawing.data?.words };
  if (url !== null && url !== shown.url) setShown(now);
  // What was drawn of a source that is gone is kept by the query as its last data.
  const { error, isFetching } = drawing;
  const state = {
    error: displayedSource === null ? null : error,
    isFetching,
    retry: () => void drawing.refetch(),
  };
  if (displayedSource === null) return { ...nothingDrawn, ...state };
  return { ...(url === null && drawing.data ? shown : now), ...state };
}

/** Limits of the server, in CSS pixels per side. */
const minSide = 120;
const maxSide = 4096;

/**
 * The view for a container of a size in CSS pixels, as sharp as is visible and as the server allows: `ratio` is device
 * pixels per CSS pixel. `null` for a container too small or too large.
 */
function viewOf({ width, height }: Size, { ratio, ...how }: Omit<FigureView, keyof Size>): FigureView | null {
  if (Math.min(width, height) < minSide || Math.max(width, height) > maxSide) return null;
  const sharpest = Math.sqrt(maxViewPixels / (width * height));
  if (sharpest < 1) return null;
  const shown = Math.min(4, sharpest, Math.max(1, ratio));
  return { width, height, ratio: Math.floor(shown * 100) / 100, ...how };
}

/** Sizes are rounded to steps of this many CSS pixels, so that cached figures are reused. */
const step = 16;
/** Debounce time of size changes, in milliseconds. */
const rest = 200;

interface Size {
  width: number;
  height: number;
}

/** Size of an element in CSS pixels, rounded down, once it is stable; `null` before it was measured. */
function useRestingSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = 0;
    const observer = new ResizeObserver((entries) => {
      const box = entries.at(-1)?.contentRect;
      if (box === undefined) return;
      const next = { width: rounded(box.width), height: rounded(box.height) };
      clearTimeout(timer);
      timer = setTimeout(
        () => setSize((now) => (now?.width === next.width && now.height === next.height ? now : next)),
        wait,
      );
      // What is measured first is where the element begins, not a change under way.
      wait = rest;
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element]);
  return size;
}

function rounded(length: number): number {
  return Math.floor(length / step) * step;
}

/** Font that figures are laid out in, as a data URL; `null` if unavailable. The page has already loaded it. */
async function pageFont(): Promise<string | null> {
  try {
    const answer = await fetch(fontAddress);
    if (!answer.ok) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return `data:font/woff2;base64,${base64Of(bytes)}`;
  } catch {
    return null;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * Embeds the font in a server SVG: an SVG shown as an image can use only embedded and system fonts, and few systems
 * have Inter. Without the font it falls back to a system font.
 */
async function withFont(svg: Blob, font: string | null): Promise<Blob> {
  if (font === null) return svg;
  const face = `<style>@font-face{font-family:Inter;font-weight:100 900;src:url(${font})}</style>`;
  const text = await svg.text();
  const inside = text.indexOf('>') + 1;
  return new Blob([text.slice(0, inside), face, text.slice(inside)], { type: 'image/svg+xml' });
}
