import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { cn } from '@/lib/cn.ts';
import { useShownTheme } from '@/lib/use-browser.ts';
import { type ChartLabel, chartLabels } from './chart-labels.ts';
import {
  type Box,
  boxOf,
  type ChartPoints,
  type ChartScales,
  nearestPoint,
  rowsInBox,
  type Tones,
  type ChartAxis,
  roundSteps,
} from './chart-points.ts';
import { PointsCanvas } from './points-canvas.tsx';
import { type ChartThreshold, ThresholdLine } from './threshold-line.tsx';

export type Select = (rows: readonly number[], how: 'only' | 'also' | 'turn') => void;

interface PointsChartProps {
  label: string;
  points: ChartPoints;
  tones: Tones;
  scales: ChartScales;
  ends: readonly [string, string];
  thresholds?: readonly ChartThreshold[];
  note?: string;
  hasDiagonal?: boolean;
  selected: ReadonlySet<number>;
  onSelect: Select;
  shown: number | undefined;
  onPoint: (row: number | undefined) => void;
  onGo: (row: number) => void;
  geneOf: (row: number) => string;
  wordsOf: (row: number) => readonly string[];
  onEnter?: (row: number) => void;
}

/** Distance in page pixels within which a point is hit, and beyond which a drag begins. */
const reach = 14;
const dragFrom = 4;

/** Colours of the volcano plot files, in both themes: neither, higher, lower, and both. */
const inks = {
  light: ['#c2c8d1', '#c2553f', '#3567b0', '#7b4fa3'],
  dark: ['#4a515d', '#e88a74', '#6f9de0', '#b893dc'],
} as const;

export function PointsChart(props: PointsChartProps) {
  const { label, points, tones, scales, ends, thresholds = [], note = '', selected, shown } = props;
  const dark = useShownTheme() === 'dark';
  const { geneOf } = props;
  const labels = useMemo(
    () => chartLabels({ points, tones, scales, selected, geneOf }),
    [points, tones, scales, selected, geneOf],
  );
  const { box, ...pointer } = useChartPointer(props);
  const shownAt = shown === undefined ? -1 : points.rows.indexOf(shown);
  return (
    /* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- genes are gone through with the arrow keys */
    <div
      role="group"
      tabIndex={0}
      aria-label={label}
      className="relative rounded-md border -outline-offset-2"
      onKeyDown={(event) => step(event, props)}
    >
      <PointsCanvas
        points={points}
        tones={tones}
        scales={scales}
        inks={inks[dark ? 'dark' : 'light']}
        selected={selected}
        selectedInk={dark ? '#f2f4f8' : '#1b2130'}
      />
      <svg
        viewBox={`0 0 ${scales.width} ${scales.height}`}
        className="relative block w-full cursor-crosshair touch-none select-none"
        {...pointer}
        onPointerLeave={() => props.onPoint(undefined)}
      >
        <ChartAxes scales={scales} ends={ends} />
        {props.hasDiagonal && <Diagonal scales={scales} />}
        <text {...chartText} x={scales.panel.right} y={scales.panel.top - 9} textAnchor="end">
          {note}
        </text>
        {labels.map((one) => (
          <Name
            key={one.at}
            label={one}
            isSelected={selected.has(points.rows[one.at]!)}
            onClick={props.onEnter && (() => props.onEnter?.(points.rows[one.at]!))}
          />
        ))}
        {thresholds.map((threshold) => (
          <ThresholdLine
            key={threshold.name}
            threshold={threshold}
            scales={scales}
            placeOf={(event) => placeIn(event.currentTarget.ownerSVGElement!, event, scales)}
          />
        ))}
        {box && (
          <rect
            x={box.left}
            y={box.top}
            width={box.right - box.left}
            height={box.bottom - box.top}
            className="fill-accent/10 stroke-accent"
          />
        )}
        {shownAt >= 0 && (
          <circle
            cx={scales.x(points.x[shownAt]!)}
            cy={scales.y(points.y[shownAt]!)}
            r={6}
            fill="none"
            strokeWidth={2}
            className="stroke-foreground"
          />
        )}
      </svg>
      {shownAt >= 0 && <Hover props={props} at={shownAt} />}
    </div>
  );
}

function step(event: KeyboardEvent, { points, shown, onGo, onSelect, onEnter }: PointsChartProps): void {
  if (event.target !== event.currentTarget || points.rows.length === 0) return;
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (event.key === 'Enter' && shown !== undefined) onEnter?.(shown);
  if (event.key === ' ' && shown !== undefined) {
    event.preventDefault();
    onSelect([shown], 'turn');
  }
  if (by === 0) return;
  event.preventDefault();
  const count = points.rows.length;
  const now = shown === undefined ? -1 : points.rows.indexOf(shown);
  onGo(points.rows[now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count]!);
}

function useChartPointer({ points, scales, onSelect, onPoint, onEnter }: PointsChartProps) {
  const [from, setFrom] = useState<{ x: number; y: number } | null>(null);
  const [box, setBox] = useState<Box | null>(null);
  const rowAt = (event: PointerEvent<SVGSVGElement>): number | undefined => {
    const zoom = event.currentTarget.getBoundingClientRect().width / scales.width || 1;
    const place = placeIn(event.currentTarget, event, scales);
    const at = nearestPoint(points, scales, { ...place, reach: reach / zoom });
    return at === undefined ? undefined : points.rows[at];
  };
  return {
    box,
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      setFrom(placeIn(event.currentTarget, event, scales));
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (from === null) {
        onPoint(rowAt(event));
        return;
      }
      const to = placeIn(event.currentTarget, event, scales);
      if (box !== null || Math.hypot(to.x - from.x, to.y - from.y) > dragFrom) setBox(boxOf(from, to));
    },
    onPointerUp: (event: PointerEvent<SVGSVGElement>) => {
      if (from === null) return;
      setFrom(null);
      setBox(null);
      if (box !== null) {
        onSelect(rowsInBox(points, scales, box), event.shiftKey ? 'also' : 'only');
        return;
      }
      const row = rowAt(event);
      onSelect(row === undefined ? [] : [row], event.shiftKey ? 'turn' : 'only');
      if (row !== undefined && !event.shiftKey) onEnter?.(row);
    },
    onPointerCancel: () => {
      setFrom(null);
      setBox(null);
    },
  };
}

function placeIn(
  svg: SVGSVGElement,
  { clientX, clientY }: { clientX: number; clientY: number },
  { width }: ChartScales,
): { x: number; y: number } {
  const box = svg.getBoundingClientRect();
  const zoom = box.width / width || 1;
  return { x: (clientX - box.left) / zoom, y: (clientY - box.top) / zoom };
}

function Name({
  label: { gene, left, right, top, isLeft },
  isSelected,
  onClick,
}: {
  label: ChartLabel;
  isSelected: boolean;
  /** With the keyboard, Enter does the same on the chart. */
  onClick: (() => void) | undefined;
}) {
  return (
    <text
      onClick={onClick}
      // Else a selection would begin here.
      onPointerDown={(event) => event.stopPropagation()}
      x={isLeft ? right : left}
      y={top + 12}
      textAnchor={isLeft ? 'end' : 'start'}
      fontSize={12}
      fontStyle="italic"
      fontWeight={isSelected ? 600 : 400}
      className={cn(
        'fill-foreground',
        onClick === undefined ? 'pointer-events-none' : 'cursor-pointer hover:underline',
      )}
    >
      {gene}
    </text>
  );
}

function Diagonal({ scales }: { scales: ChartScales }) {
  const [low, high] = [
    Math.max(scales.axes.x.range[0], scales.axes.y.range[0]),
    Math.min(scales.axes.x.range[1], scales.axes.y.range[1]),
  ];
  return (
    <line
      x1={scales.x(low)}
      y1={scales.y(low)}
      x2={scales.x(high)}
      y2={scales.y(high)}
      strokeDasharray="2 4"
      className="stroke-muted"
    />
  );
}

function Hover({ props, at }: { props: PointsChartProps; at: number }) {
  const { scales, points, geneOf, wordsOf } = props;
  const row = points.rows[at]!;
  const [x, y] = [scales.x(points.x[at]!) / scales.width, scales.y(points.y[at]!) / scales.height];
  return (
    <div
      aria-hidden
      className="bg-surface pointer-events-none absolute z-10 w-max max-w-64 rounded-md border px-2 py-1 text-xs shadow-lg"
      style={{
        left: `${100 * x}%`,
        top: `${100 * y}%`,
        transform: `translate(${x > 0.6 ? 'calc(-100% - 12px)' : '12px'}, ${y > 0.5 ? 'calc(-100% - 8px)' : '8px'})`,
      }}
    >
      <p className="font-medium wrap-anywhere italic">{geneOf(row)}</p>
      {wordsOf(row).map((words) => (
        <p key={words} className="text-muted tabular-nums">
          {words}
        </p>
      ))}
    </div>
  );
}

const chartText = { fontSize: 13, className: 'fill-muted' } as const;
const maxName = 46;

function tickText(value: number): string {
  const text = Math.abs(value) >= 10_000 ? value.toLocaleString('en-US') : String(value);
  return text.replace('-', '−');
}

function ChartAxes({ scales, ends: [start, end] }: { scales: ChartScales; ends: readonly [string, string] }) {
  const { panel, axes } = scales;
  return (
    <>
      {roundSteps(axes.x.range, 7).map((value) => (
        <g key={value}>
          <line
            x1={scales.x(value)}
            x2={scales.x(value)}
            y1={panel.top}
            y2={panel.bottom}
            className={lineClass(value, axes.x)}
          />
          <text {...chartText} x={scales.x(value)} y={panel.bottom + 18} textAnchor="middle">
            {tickText(value)}
          </text>
        </g>
      ))}
      {roundSteps(axes.y.range, 5).map((value) => (
        <g key={value}>
          <line
            x1={panel.left}
            x2={panel.right}
            y1={scales.y(value)}
            y2={scales.y(value)}
            className={lineClass(value, axes.y)}
          />
          <text {...chartText} x={panel.left - 8} y={scales.y(value) + 4} textAnchor="end">
            {tickText(value)}
          </text>
        </g>
      ))}
      <text {...chartText} x={(panel.left + panel.right) / 2} y={panel.bottom + 38} textAnchor="middle">
        {axes.x.title}
      </text>
      <text {...chartText} x={panel.left} y={panel.bottom + 58}>
        {cut(start)}
      </text>
      <text {...chartText} x={panel.right} y={panel.bottom + 58} textAnchor="end">
        {cut(end)}
      </text>
      <text
        {...chartText}
        transform={`translate(16 ${(panel.top + panel.bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        {axes.y.title}
      </text>
    </>
  );
}

function lineClass(value: number, { range }: ChartAxis): string {
  return value === 0 && range[0] <= 0 ? 'stroke-muted' : 'stroke-border';
}

function cut(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name;
}
