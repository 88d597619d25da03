import type { PointerEvent } from 'react';
import { formatCount } from '@/lib/format.ts';
import { height, HistogramBars, width } from '../reports/histogram.tsx';
import { shareText } from '../reports/report-text.ts';
import { keyedValue, placeOf, valueAt } from './live-thresholds.ts';
import type { Measure } from './live-thresholds.ts';

interface QualityHistogramProps {
  label: string;
  measure: Measure;
  edges: readonly number[];
  bins: readonly number[];
  /** Cells below it are removed; for shares, cells above it. */
  threshold: number;
  onMove: (value: number) => void;
  onHold: (held: boolean) => void;
}

export function QualityHistogram(props: QualityHistogramProps) {
  const { label, measure, edges, bins, threshold, onMove, onHold } = props;
  const line = placeOf(edges, threshold, measure) * width;
  const goes = measure === 'mitochondrial' ? { x: line, width: width - line } : { x: 0, width: line };
  const maximum = valueAt(edges, 1, measure);
  const drag = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    if (wide > 0) onMove(valueAt(edges, (clientX - left) / wide, measure));
  };
  return (
    <svg
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={maximum}
      aria-valuenow={Math.min(maximum, threshold)}
      aria-valuetext={thresholdText(measure, threshold)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block h-10 w-full cursor-ew-resize touch-none overflow-visible select-none [&:focus:not(:focus-visible)]:outline-none"
      onKeyDown={(event) => {
        const value = keyedValue(event.key, { edges, value: threshold, measure });
        if (value === undefined) return;
        event.preventDefault();
        onMove(value);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onHold(true);
        drag(event);
      }}
      onPointerMove={(event) => (event.buttons & 1) !== 0 && drag(event)}
      onLostPointerCapture={() => onHold(false)}
    >
      <HistogramBars counts={bins} line={line} beyond={goes} />
      <rect x={line - 2.5} y={-3} width={5} height={8} rx={1.5} className="fill-danger" />
    </svg>
  );
}

/** 'at least 228', 'at most 8.1 %'. */
export function thresholdText(measure: Measure, threshold: number): string {
  if (measure === 'mitochondrial') return threshold >= 1 ? 'no threshold' : `at most ${shareText(threshold)}`;
  return threshold === 0 ? 'no threshold' : `at least ${formatCount(threshold)}`;
}
