import { useEffect, useRef, useState } from 'react';
import type { ChartPoints, ChartScales, Tones } from './chart-points.ts';

interface PointsCanvasProps {
  points: ChartPoints;
  tones: Tones;
  scales: ChartScales;
  /** Colours of the tones, from 0. */
  inks: readonly string[];
  selected: ReadonlySet<number>;
  selectedInk: string;
}

/** Radius of a point by whether it passes, in units of the drawing. */
const radius = { fails: 1.8, passes: 2.6, selected: 5 } as const;

/** Tens of thousands of points as pixels: they are drawn again while a threshold is dragged. */
export function PointsCanvas(props: PointsCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current !== null && width > 0) paint(canvas.current, width, props);
  });
  return <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />;
}

function paint(
  canvas: HTMLCanvasElement,
  width: number,
  { points, tones, scales, inks, selected, selectedInk }: PointsCanvasProps,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const zoom = (width / scales.width) * window.devicePixelRatio;
  canvas.width = Math.round(scales.width * zoom);
  canvas.height = Math.round(scales.height * zoom);
  context.setTransform(zoom, 0, 0, zoom, 0, 0);
  inks.forEach((ink, tone) => {
    const half = tone === 0 ? radius.fails : radius.passes;
    // A disc is drawn once and copied: tens of thousands of paths would take half a second.
    const disc = discOf(ink, half * zoom);
    if (disc === null) return;
    const side = disc.width / zoom;
    for (let at = 0; at < tones.length; at++) {
      if (tones[at] !== tone) continue;
      context.drawImage(
        disc,
        scales.x(points.x[at]!) - side / 2,
        scales.y(points.y[at]!) - side / 2,
        side,
        side,
      );
    }
  });
  if (selected.size === 0) return;
  context.strokeStyle = selectedInk;
  context.lineWidth = 1.6;
  context.beginPath();
  for (let at = 0; at < points.rows.length; at++) {
    if (!selected.has(points.rows[at]!)) continue;
    const [x, y] = [scales.x(points.x[at]!), scales.y(points.y[at]!)];
    context.moveTo(x + radius.selected, y);
    context.arc(x, y, radius.selected, 0, 2 * Math.PI);
  }
  context.stroke();
}

/** @param size its radius in pixels of the canvas */
function discOf(ink: string, size: number): HTMLCanvasElement | null {
  const disc = document.createElement('canvas');
  disc.width = disc.height = 2 * Math.ceil(size + 1);
  const context = disc.getContext('2d');
  if (context === null) return null;
  context.fillStyle = ink;
  context.arc(disc.width / 2, disc.height / 2, size, 0, 2 * Math.PI);
  context.fill();
  return disc;
}
