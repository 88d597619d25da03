import type { DropletPlan } from '@cellfolio/contract';
import { formatCount } from '@/lib/format.ts';

const width = 480;
const height = 230;
const left = 52;
const bottom = height - 34;
const right = width - 22;
const top = 10;

const strokes = [
  { least: 0.95, name: 'cells', className: 'stroke-accent' },
  { least: 0.05, name: 'both', className: 'stroke-accent opacity-50' },
  { least: -1, name: 'left out', className: 'stroke-muted' },
] as const;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

export function BarcodeRankPlot({ droplets }: { droplets: DropletPlan }) {
  const { curve, knee, inflection, cells, barcodes } = droplets;
  const decades = (value: number) => Math.max(1, Math.ceil(Math.log10(Math.max(10, value))));
  const ranks = decades(curve.at(-1)?.rank ?? 1);
  const counts = decades(curve[0]?.counts ?? 1);
  const x = (rank: number) => left + (Math.log10(rank) / ranks) * (right - left);
  const y = (total: number) => bottom - (Math.log10(total) / counts) * (bottom - top);
  const strokeOf = (share: number) => strokes.findIndex(({ least }) => share > least);
  const paths = strokes.map(() => '');
  curve.slice(1).forEach((point, at) => {
    const before = curve[at]!;
    paths[strokeOf(point.cells)] +=
      `M${x(before.rank).toFixed(1)} ${y(before.counts).toFixed(1)}L${x(point.rank).toFixed(1)} ${y(point.counts).toFixed(1)}`;
  });
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={`Barcode-rank plot: ${formatCount(cells)} of ${formatCount(barcodes)} barcodes are kept as cells${knee === undefined ? '' : `; knee at ${formatCount(knee)} counts`}`}
        viewBox={`0 0 ${width} ${height}`}
        className="text-muted w-full max-w-xl text-[11px] tabular-nums"
      >
        <path d={`M${left} ${top}V${bottom}H${right}`} className="stroke-input fill-none" />
        {ticks(ranks).map((rank) => (
          <text key={rank} x={x(rank)} y={bottom + 14} textAnchor="middle" className="fill-current">
            {compact.format(rank)}
          </text>
        ))}
        {ticks(counts).map((total) => (
          <text key={total} x={left - 6} y={y(total) + 4} textAnchor="end" className="fill-current">
            {compact.format(total)}
          </text>
        ))}
        <text x={(left + right) / 2} y={height - 4} textAnchor="middle" className="fill-current">
          Barcodes, by rank
        </text>
        <text
          transform={`translate(11 ${(top + bottom) / 2}) rotate(-90)`}
          textAnchor="middle"
          className="fill-current"
        >
          Total counts
        </text>
        {[
          // One label above its line and one below, for the two may lie close together.
          ['Knee', knee, -4],
          ['Inflection', inflection, 12],
        ].map(([name, total, beside]) =>
          typeof total === 'number' && typeof beside === 'number' ? (
            <g key={name}>
              <line
                x1={left}
                x2={right}
                y1={y(total)}
                y2={y(total)}
                className="stroke-danger"
                strokeDasharray="4 3"
              />
              <text x={right} y={y(total) + beside} textAnchor="end" className="fill-current">
                {name} {formatCount(total)}
              </text>
            </g>
          ) : null,
        )}
        {strokes.map(({ name, className }, at) => (
          <path
            key={name}
            d={paths[at]}
            className={`${className} fill-none`}
            strokeWidth={3}
            strokeLinecap="round"
          />
        ))}
      </svg>
      <figcaption className="text-muted flex flex-wrap gap-x-4 text-xs">
        <Key className="bg-accent">Kept as cells</Key>
        <Key className="bg-accent opacity-50">Some of them kept</Key>
        <Key className="bg-muted">Left out</Key>
      </figcaption>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`h-1 w-4 rounded-full ${className}`} />
      {children}
    </span>
  );
}

function ticks(decades: number): number[] {
  return Array.from({ length: decades + 1 }, (_, power) => 10 ** power);
}
