import { useEffect, useRef, useState } from 'react';
import type { ChartPoints, ChartScales, Tones } from './chart-points.ts';

interface PointsCanvasProps {
  points: ChartPoints;
  tones: Tones;
  scales: ChartScales;
  inks: readonly string[];
  selected: ReadonlySet<number>;
  selectedInk: string;
}

/** Radius of a point, by whether it passes, in drawing units. */
const radius = { fails: 1.8, passes: 2.6, selected: 5 } as const;

/** Draws tens of thousands of points as pixels, as they are redrawn while a threshold is dragged. */
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
  const image = context.createImageData(canvas.width, canvas.height);
  const { width: columns, height } = canvas;
  const target: Target = { target: new Uint32Array(image.data.buffer), width: columns, height };
  inks.forEach((ink, tone) => {
    const disc = discOf(ink, (tone === 0 ? radius.fails : radius.passes) * zoom);
    for (let at = 0; at < tones.length; at++) {
      if (tones[at] !== tone) continue;
      stamp(target, disc, scales.x(points.x[at]!) * zoom, scales.y(points.y[at]!) * zoom);
    }
  });
  context.putImageData(image, 0, 0);
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

/** A disc as pixels: half the side of its square, and the colour with the alpha of each pixel. */
interface Disc {
  half: number;
  pixels: Uint32Array;
}

/** `size` is the radius in pixels. */
function discOf(ink: string, size: number): Disc {
  const half = Math.ceil(size);
  const side = 2 * half + 1;
  const value = Number.parseInt(ink.slice(1), 16);
  // Bytes of a pixel are red, green, blue, alpha, the first of them the lowest.
  const colour = ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16);
  const pixels = new Uint32Array(side * side);
  for (let at = 0; at < pixels.length; at++) {
    const distance = Math.hypot((at % side) - half, Math.floor(at / side) - half);
    const alpha = Math.round(255 * Math.max(0, Math.min(1, size + 0.5 - distance)));
    pixels[at] = (alpha << 24) | colour;
  }
  return { half, pixels };
}

interface Target {
  target: Uint32Array;
  width: number;
  height: number;
}

/** Sets the pixels of a disc: for tens of thousands of discs this is many times faster than paths or copied images. */
function stamp({ target, width, height }: Target, { half, pixels }: Disc, x: number, y: number): void {
  const [left, top] = [Math.round(x) - half, Math.round(y) - half];
  const side = 2 * half + 1;
  let at = 0;
  for (let row = top; row < top + side; row++) {
    for (let column = left; column < left + side; column++, at++) {
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const place = row * width + column;
      if (pixels[at]! >>> 24 >= target[place]! >>> 24) target[place] = pixels[at]!;
    }
  }
}
