import type { Layer, Size } from '@cellfolio/map';
import { screenPlace } from '@cellfolio/map';
import { useEffect, useRef, useState } from 'react';
import { cn } from '@/lib/cn.ts';
import { type FigureWords, figureAlt } from '@/lib/figure-words.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import { rgbOf } from './map-layer.ts';
import type { MapScene } from './map-scene.ts';
import type { MapState, MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';
import { useMapGestures } from './use-map-gestures.ts';
import type { GridLine } from './use-map-pick.ts';

/** Surface colour of cards, as in brand.css. */
const backgrounds = { light: rgbOf('#ffffff'), dark: rgbOf('#16191f') };

interface MapCanvasProps {
  card: string;
  scene: MapScene;
  store: MapStore;
  layer: Layer;
  name: string;
  summary: string;
  words?: FigureWords | undefined;
}

export function MapCanvas({ card, scene, store, layer, name, summary, words }: MapCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  useMapPainting({ scene, store, layer, canvas, size });
  const { drawn, pick, line, handlers } = useMapGestures({ card, scene, store, layer, size, element: frame });
  const tool = useMapState(store, (state) => state.tool);
  return (
    // oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- it takes keys, as its label says
    <div
      ref={frame}
      role="application"
      aria-label={`Map: ${name}. ${summary}. Arrow keys move the map, plus and minus zoom, 0 shows all of it. Categories are selected in the legend.`}
      tabIndex={0}
      className={cn(
        'relative size-full touch-none overflow-hidden select-none',
        tool === 'pan' && pick === null ? 'cursor-grab active:cursor-grabbing' : 'cursor-crosshair',
      )}
      {...handlers}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={figureAlt(name, words)}
        className="absolute inset-0 size-full"
      />
      <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
        {drawn.length > 1 && (
          <polygon
            points={drawn.map(({ x, y }) => `${x},${y}`).join(' ')}
            className="fill-accent/10 stroke-accent"
            strokeWidth={1.5}
            strokeDasharray="4 3"
          />
        )}
        <PathOnMap scene={scene} store={store} size={size} drawn={line} />
        <HoverRing scene={scene} store={store} size={size} />
      </svg>
    </div>
  );
}

function HoverRing({ scene, store, size }: Pick<MapCanvasProps, 'scene' | 'store'> & { size: Size }) {
  const cell = useMapState(store, (state) => state.hovered);
  const camera = useMapState(store, (state) => state.camera);
  const at = scene.placeOf(cell);
  if (at === undefined) return null;
  const { x, y } = screenPlace(at, camera, size);
  return (
    <>
      <circle cx={x} cy={y} r={6} className="stroke-background" fill="none" strokeWidth={4} />
      <circle cx={x} cy={y} r={6} className="stroke-foreground" fill="none" strokeWidth={1.5} />
    </>
  );
}

function PathOnMap({
  scene,
  store,
  size,
  drawn,
}: Pick<MapCanvasProps, 'scene' | 'store'> & { size: Size; drawn: GridLine | null }) {
  const camera = useMapState(store, (state) => state.camera);
  const chosen = useMapState(store, (state) => (isShown(state) ? state.line : null));
  const line = drawn ?? (chosen && { from: scene.placeAt(chosen.from), to: scene.placeAt(chosen.to) });
  if (line === null || size.width === 0) return null;
  const [from, to] = [screenPlace(line.from, camera, size), screenPlace(line.to, camera, size)];
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return (
    <g>
      <line {...ends} className="stroke-background" strokeWidth={5} strokeLinecap="round" />
      <line {...ends} className="stroke-foreground" strokeWidth={2} strokeLinecap="round" />
      <circle cx={from.x} cy={from.y} r={5} className="stroke-foreground fill-background" strokeWidth={2} />
      <path
        d="M 2 0 L -9 -6 L -9 6 Z"
        transform={`translate(${to.x} ${to.y}) rotate(${angle})`}
        className="stroke-background fill-foreground"
        strokeWidth={1.5}
      />
    </g>
  );
}

function isShown({ line, embedding }: MapState): boolean {
  if (line === null || embedding === null) return line?.isDefault === true;
  return embedding.name === line.embedding && embedding.axes[0] === 0 && embedding.axes[1] === 1;
}

function useMapPainting({
  scene,
  store,
  layer,
  canvas,
  size,
}: Pick<MapCanvasProps, 'scene' | 'store' | 'layer'> & {
  canvas: React.RefObject<HTMLCanvasElement | null>;
  size: Size;
}) {
  const theme = useShownTheme();
  const latest = useRef({ layer, theme });
  const repaint = useRef<() => void>(null);
  useEffect(() => {
    latest.current = { layer, theme };
    repaint.current?.();
  }, [layer, theme]);
  useEffect(() => {
    // The first picture has the size of the canvas before an observer has told it.
    if (canvas.current !== null && !hasSize(canvas.current, size)) repaint.current?.();
  }, [canvas, size]);
  useEffect(() => {
    const target = canvas.current?.getContext('2d');
    if (!target) return;
    const map = scene.add((sample, maps) => {
      const now = latest.current;
      const element = target.canvas;
      const shown = element.getBoundingClientRect();
      const { width, height } = pixelsOf(shown);
      if (width === 0 || height === 0) return;
      scene.size = { width: shown.width, height: shown.height };
      if (!hasSize(element, shown)) Object.assign(element, { width, height });
      const { camera, density, selection } = store.state;
      scene.renderer.paint(
        {
          camera,
          layer: now.layer,
          width,
          height,
          density,
          background: backgrounds[now.theme],
          ...(selection && { selection: selection.bits }),
          ...(sample !== undefined && { sample }),
        },
        target,
        maps,
      );
    }, target);
    repaint.current = map.repaint;
    return () => {
      repaint.current = null;
      map.remove();
    };
  }, [scene, store, canvas]);
}

/** In device pixels. */
function pixelsOf({ width, height }: Size): Size {
  return { width: Math.round(width * devicePixelRatio), height: Math.round(height * devicePixelRatio) };
}

function hasSize(canvas: HTMLCanvasElement, shown: Size): boolean {
  const { width, height } = pixelsOf(shown);
  return canvas.width === width && canvas.height === height;
}

function useSize(element: React.RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
