import type { ChartAxis, ChartScales } from './chart-points.ts';
import { roundSteps } from './chart-points.ts';

export const chartText = { fontSize: 13, className: 'fill-muted' } as const;
const maxName = 46;

function tickText(value: number): string {
  const text = Math.abs(value) >= 10_000 ? value.toLocaleString('en-US') : String(value);
  return text.replace('-', '−');
}

interface ChartAxesProps {
  scales: ChartScales;
  ends: readonly [string, string];
}

export function ChartAxes({ scales, ends: [start, end] }: ChartAxesProps) {
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
