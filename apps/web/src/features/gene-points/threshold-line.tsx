import type { KeyboardEvent, PointerEvent } from 'react';
import { useState } from 'react';
import type { ChartScales } from './chart-points.ts';

export interface ChartThreshold {
  name: string;
  axis: 'x' | 'y';
  at: number;
  /** Whether there is also a line at the negative value. */
  isMirrored: boolean;
  range: readonly [number, number];
  steps: readonly [number, number];
  text: string;
  onMove(at: number): void;
}

interface ThresholdLineProps {
  threshold: ChartThreshold;
  scales: ChartScales;
  placeOf: (event: PointerEvent<SVGElement>) => { x: number; y: number };
}

export function ThresholdLine({ threshold, scales, placeOf }: ThresholdLineProps) {
  const { axis, at, isMirrored, range, text, name, onMove } = threshold;
  const [isDragged, setDragged] = useState(false);
  const move = (to: number) => onMove(Math.max(range[0], Math.min(range[1], to)));
  const drag = (event: PointerEvent<SVGElement>) => {
    event.stopPropagation();
    if (!isDragged) return;
    const value = scales.valueAt(placeOf(event))[axis];
    move(isMirrored ? Math.abs(value) : value);
  };
  return (
    <g
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-orientation={axis === 'x' ? 'horizontal' : 'vertical'}
      aria-valuemin={range[0]}
      aria-valuemax={range[1]}
      aria-valuenow={at}
      aria-valuetext={text}
      className={`group outline-none ${axis === 'x' ? 'cursor-ew-resize' : 'cursor-ns-resize'}`}
      onKeyDown={(event) => {
        const to = keyedValue(event, threshold);
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(to);
      }}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(true);
      }}
      onPointerMove={drag}
      onPointerUp={(event) => {
        drag(event);
        setDragged(false);
      }}
      onPointerCancel={() => setDragged(false)}
      onClick={(event) => event.stopPropagation()}
    >
      {linesOf(threshold, scales).map((value) => (
        <Line key={value} axis={axis} value={value} scales={scales} isDragged={isDragged} />
      ))}
    </g>
  );
}

/** Lines within the axis; for a threshold beyond it, a line at the end of the axis, so that it can be moved back. */
function linesOf({ axis, at, isMirrored }: ChartThreshold, { axes }: ChartScales): number[] {
  const lines = isMirrored && at !== 0 ? [at, -at] : [at];
  const [low, high] = axes[axis].range;
  const shown = lines.filter((line) => line >= low && line <= high);
  return shown.length > 0 ? shown : lines;
}

function keyedValue(event: KeyboardEvent, { at, steps, range }: ChartThreshold): number | undefined {
  const [small, large] = steps;
  // name-dictionary: names of keys, none of them of a stranger
  const moves = new Map([
    ['ArrowUp', at + small],
    ['ArrowRight', at + small],
    ['ArrowDown', at - small],
    ['ArrowLeft', at - small],
    ['PageUp', at + large],
    ['PageDown', at - large],
    ['Home', range[0]],
    ['End', range[1]],
  ]);
  return moves.get(event.key);
}

interface LineProps {
  axis: 'x' | 'y';
  value: number;
  scales: ChartScales;
  isDragged: boolean;
}

/** Includes a wide invisible line that is easy to grab. */
function Line({ axis, value, scales, isDragged }: LineProps) {
  const { panel } = scales;
  const place = axis === 'x' ? scales.x(value) : scales.y(value);
  const ends =
    axis === 'x'
      ? { x1: place, x2: place, y1: panel.top, y2: panel.bottom }
      : { x1: panel.left, x2: panel.right, y1: place, y2: place };
  const grip =
    axis === 'x'
      ? { x: place - 4, y: panel.top - 2, width: 8, height: 12 }
      : { x: panel.right - 10, y: place - 4, width: 12, height: 8 };
  return (
    <>
      <line {...ends} stroke="transparent" strokeWidth={14} />
      <line
        {...ends}
        strokeDasharray="5 3"
        className={
          isDragged
            ? 'stroke-accent'
            : 'stroke-muted group-hover:stroke-accent group-focus-visible:stroke-accent'
        }
        strokeWidth={isDragged ? 2 : 1.2}
      />
      <rect
        {...grip}
        rx={2}
        className="fill-surface stroke-muted group-hover:stroke-accent group-focus-visible:fill-accent group-focus-visible:stroke-accent"
      />
    </>
  );
}
