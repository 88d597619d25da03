import type { PointerEvent } from 'react';
import { useMemo } from 'react';
import { roundSteps, type Thresholds, volcanoLabels, type VolcanoPoint } from './volcano-points.ts';
import type { VolcanoScales } from './volcano-scales.ts';

interface VolcanoChartProps {
  points: readonly VolcanoPoint[];
  scales: VolcanoScales;
  thresholds: Thresholds;
  sides: { a: string; b: string };
  /** The gene that stands out. */
  shown: VolcanoPoint | undefined;
  dark: boolean;
  onPointerMove: (event: PointerEvent<SVGSVGElement>) => void;
  onPointerLeave: () => void;
  onClick: (event: PointerEvent<SVGSVGElement>) => void;
}

/** Those of the file, in both themes. */
const inks = {
  light: { higher: '#c2553f', lower: '#3567b0', fails: '#c2c8d1' },
  dark: { higher: '#e88a74', lower: '#6f9de0', fails: '#4a515d' },
} as const;
const text = { fontSize: 13, className: 'fill-muted' } as const;
const maxName = 46;

/** Points, axes and thresholds; thousands of points are three lines of dots, which a browser draws at once. */
export function VolcanoChart({
  points,
  scales,
  thresholds,
  sides,
  shown,
  dark,
  ...handlers
}: VolcanoChartProps) {
  const ink = inks[dark ? 'dark' : 'light'];
  const { panel, width, height } = scales;
  const dots = useMemo(() => dotPaths(points, scales), [points, scales]);
  const labels = useMemo(
    () => volcanoLabels(points, ({ change, score }) => ({ x: scales.x(change), y: scales.y(score) }), panel),
    [points, scales, panel],
  );
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="Log2 fold change against adjusted p-value of every gene"
      className="block w-full cursor-crosshair"
      {...handlers}
    >
      <Axes scales={scales} sides={sides} />
      <ThresholdLines scales={scales} thresholds={thresholds} />
      {([0, -1, 1] as const).map((direction) => (
        <path
          key={direction}
          d={dots.get(direction)}
          fill="none"
          stroke={direction === 0 ? ink.fails : direction > 0 ? ink.higher : ink.lower}
          strokeWidth={direction === 0 ? 3.6 : 4.8}
          strokeLinecap="round"
        />
      ))}
      {labels.map(({ point, left, right, top, isLeft }) => (
        <text
          key={point.row}
          x={isLeft ? right : left}
          y={top + 12}
          textAnchor={isLeft ? 'end' : 'start'}
          fontSize={12}
          fontStyle="italic"
          className="fill-foreground"
        >
          {point.gene}
        </text>
      ))}
      {shown && (
        <circle
          cx={scales.x(shown.change)}
          cy={scales.y(shown.score)}
          r={6}
          fill="none"
          strokeWidth={2}
          className="stroke-foreground"
        />
      )}
    </svg>
  );
}

/** Lines of no length with round ends, by direction. Genes at one place are one dot. */
function dotPaths(points: readonly VolcanoPoint[], scales: VolcanoScales): ReadonlyMap<number, string> {
  const parts = new Map<number, Set<string>>([-1, 0, 1].map((direction) => [direction, new Set()]));
  for (const { change, score, direction } of points) {
    parts
      .get(direction)
      ?.add(`M${Math.round(2 * scales.x(change)) / 2} ${Math.round(2 * scales.y(score)) / 2}h0`);
  }
  return new Map(Array.from(parts, ([direction, dots]) => [direction, [...dots].join('')]));
}

function Axes({ scales, sides }: Pick<VolcanoChartProps, 'scales' | 'sides'>) {
  const { panel, axes } = scales;
  const changes = roundSteps(axes.change, 4);
  const both = [...changes.slice(1).map((change) => -change), ...changes];
  return (
    <>
      {both.map((change) => (
        <g key={change}>
          <line
            x1={scales.x(change)}
            x2={scales.x(change)}
            y1={panel.top}
            y2={panel.bottom}
            className={change === 0 ? 'stroke-muted' : 'stroke-border'}
          />
          <text {...text} x={scales.x(change)} y={panel.bottom + 18} textAnchor="middle">
            {String(change).replace('-', '−')}
          </text>
        </g>
      ))}
      {roundSteps(axes.score, 5).map((score) => (
        <g key={score}>
          <line
            x1={panel.left}
            x2={panel.right}
            y1={scales.y(score)}
            y2={scales.y(score)}
            className={score === 0 ? 'stroke-muted' : 'stroke-border'}
          />
          <text {...text} x={panel.left - 8} y={scales.y(score) + 4} textAnchor="end">
            {score}
          </text>
        </g>
      ))}
      <text {...text} x={(panel.left + panel.right) / 2} y={panel.bottom + 38} textAnchor="middle">
        log₂ fold change
      </text>
      <text {...text} x={panel.left} y={panel.bottom + 58}>
        {`higher in ${cut(sides.b)}`}
      </text>
      <text {...text} x={panel.right} y={panel.bottom + 58} textAnchor="end">
        {`higher in ${cut(sides.a)}`}
      </text>
      <text
        {...text}
        transform={`translate(18 ${(panel.top + panel.bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        −log₁₀ adjusted p
      </text>
    </>
  );
}

function cut(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name;
}

function ThresholdLines({ scales, thresholds }: Pick<VolcanoChartProps, 'scales' | 'thresholds'>) {
  const { panel, axes } = scales;
  const { adjustedP, foldChange } = thresholds;
  const line = { strokeDasharray: '5 3', className: 'stroke-muted' } as const;
  const hasP = adjustedP > 0 && adjustedP < 1;
  const hasChange = foldChange > 0 && foldChange < axes.change;
  const words = [
    ...(hasP ? [`adjusted p < ${adjustedP}`] : []),
    ...(hasChange ? [`|log₂ fold change| ≥ ${foldChange}`] : []),
  ];
  return (
    <>
      {hasP && (
        <line
          {...line}
          x1={panel.left}
          x2={panel.right}
          y1={scales.y(-Math.log10(adjustedP))}
          y2={scales.y(-Math.log10(adjustedP))}
        />
      )}
      {hasChange &&
        [-foldChange, foldChange].map((change) => (
          <line
            {...line}
            key={change}
            x1={scales.x(change)}
            x2={scales.x(change)}
            y1={panel.top}
            y2={panel.bottom}
          />
        ))}
      <text {...text} x={panel.right} y={panel.top - 9} textAnchor="end">
        {words.length === 0 ? '' : `Coloured: ${words.join(', ')}`}
      </text>
    </>
  );
}
