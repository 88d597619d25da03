import type { QualityChoice, QualityPlan } from '@cellfolio/contract';
import type { PointerEvent } from 'react';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, shortName } from '@/lib/format.ts';
import { reasonsText, removedText, shareText } from '../reports/report-text.ts';
import { effectiveChoice, liveThresholds, placeOf, valueAt } from './live-thresholds.ts';
import type { Measure, QualityGroup } from './live-thresholds.ts';

interface QualityTableProps {
  plan: QualityPlan;
  choice: QualityChoice;
  /** Whether the numbers are those of the choice. */
  fresh: boolean;
  /** A line was dragged to a value. */
  onThreshold: (measure: Measure, value: number) => void;
}

const measures = [
  ['counts', 'Total counts'],
  ['genes', 'Genes'],
  ['mitochondrial', 'Mitochondrial'],
] as const satisfies [Measure, string][];

/** For each sample its distributions with their thresholds, and how many cells go. */
export function QualityTable({ plan, choice, fresh, onThreshold }: QualityTableProps) {
  const shown = measures.filter(([measure]) => measure !== 'mitochondrial' || plan.mitochondrialGenes > 0);
  return (
    <Table aria-label="Cells that would be removed">
      <TableHeader>
        <TableRow>
          <TableHead>Sample</TableHead>
          {shown.map(([measure, name]) => (
            <TableHead key={measure}>{name}</TableHead>
          ))}
          <TableHead>Removed</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {plan.groups.map((group) => (
          <TableRow key={`${group.sample ?? ''} ${group.cells}`} className="align-top">
            <TableHead
              scope="row"
              className="max-w-40 min-w-28 text-left font-medium wrap-break-word whitespace-normal"
            >
              {nameOf(plan, group)}
              {group.pooled && (
                <span className="text-muted block text-xs font-normal">
                  Below 100 cells: thresholds of all cells
                </span>
              )}
            </TableHead>
            {shown.map(([measure, name]) => (
              <MeasureCell
                key={measure}
                {...{ plan, group, choice, measure, onThreshold }}
                label={`${name} of ${nameOf(plan, group)}`}
              />
            ))}
            <TableCell className="min-w-36 tabular-nums" aria-busy={!fresh}>
              <span className={fresh ? 'font-medium' : 'text-muted line-through'}>
                {removedText(group.removed, group.cells)}
              </span>
              {fresh && <span className="text-muted block text-xs">{reasonsText(group.removed)}</span>}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
      <tfoot className="text-muted text-[11px] tabular-nums">
        <tr>
          <th scope="row" className="px-2 text-left font-normal">
            Range
          </th>
          {shown.map(([measure]) => (
            <td key={measure} className="px-2">
              <Axis edges={plan.edges[measure]} measure={measure} />
            </td>
          ))}
          <td aria-hidden />
        </tr>
      </tfoot>
    </Table>
  );
}

interface MeasureCellProps {
  plan: QualityPlan;
  group: QualityGroup;
  choice: QualityChoice;
  measure: Measure;
  label: string;
  onThreshold: QualityTableProps['onThreshold'];
}

function MeasureCell({ plan, group, choice, measure, label, onThreshold }: MeasureCellProps) {
  const {
    minimumCounts,
    minimumGenes,
    maximumMitochondrial = 1,
  } = liveThresholds(group, effectiveChoice(plan, choice));
  const threshold = { counts: minimumCounts, genes: minimumGenes, mitochondrial: maximumMitochondrial }[
    measure
  ];
  const none = measure === 'mitochondrial' ? threshold >= 1 : threshold === 0;
  const need =
    measure === 'mitochondrial' ? `at most ${shareText(threshold)}` : `at least ${formatCount(threshold)}`;
  return (
    <TableCell className="w-[23%]">
      {group.bins !== undefined && (
        <QualityHistogram
          label={`${label}: ${none ? 'no threshold' : `cells need ${need}`}`}
          measure={measure}
          edges={plan.edges[measure]}
          bins={group.bins[measure]}
          threshold={threshold}
          onDrag={(value) => onThreshold(measure, value)}
        />
      )}
      <span className="text-muted block text-xs tabular-nums">{none ? 'no threshold' : need}</span>
    </TableCell>
  );
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

function Axis({ edges, measure }: { edges: readonly number[]; measure: Measure }) {
  const at = [edges[0] ?? 0, edges[edges.length >> 1] ?? 0, edges.at(-1) ?? 0];
  return (
    <span className="flex justify-between">
      {at.map((value, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- three fixed places
        <span key={place}>{measure === 'mitochondrial' ? shareText(value) : compact.format(value)}</span>
      ))}
    </span>
  );
}

function nameOf(plan: QualityPlan, { sample }: QualityGroup): string {
  if (sample !== undefined) return shortName(sample);
  return plan.groups.length === 1 ? 'All cells' : 'Without a sample';
}

interface QualityHistogramProps {
  /** What is shown, in words, for those who do not see it. */
  label: string;
  measure: Measure;
  edges: readonly number[];
  /** Cells in each bin. */
  bins: readonly number[];
  /** Cells below it are removed, of shares those above it. */
  threshold: number;
  /** The line is dragged to a value; a box beside the table takes the same by keyboard. */
  onDrag: (value: number) => void;
}

const width = 200;
const height = 40;

/** How cells are distributed, and which side of the line goes. */
function QualityHistogram({ label, measure, edges, bins, threshold, onDrag }: QualityHistogramProps) {
  const maxCount = Math.max(1, ...bins);
  const step = width / Math.max(1, bins.length);
  const bars = bins
    // The square root, so that the few cells that matter here are seen beside the many.
    .map((cells, bin) => ({ at: bin * step, tall: Math.sqrt(cells / maxCount) * (height - 2) }))
    .filter(({ tall }) => tall > 0)
    .map(
      ({ at, tall }) =>
        `M${at.toFixed(1)} ${height}V${(height - tall).toFixed(1)}h${(step * 0.86).toFixed(2)}V${height}Z`,
    )
    .join('');
  const line = placeOf(edges, threshold, measure) * width;
  const goes = measure === 'mitochondrial' ? { x: line, width: width - line } : { x: 0, width: line };
  const drag = ({ currentTarget, clientX, buttons }: PointerEvent<SVGSVGElement>) => {
    if ((buttons & 1) === 0) return;
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    if (wide > 0) onDrag(valueAt(edges, (clientX - left) / wide, measure));
  };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-10 w-full min-w-28 cursor-ew-resize touch-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
    >
      <rect {...goes} y={0} height={height} className="fill-danger-soft" />
      <path d={bars} className="fill-accent" />
      <line
        x1={0}
        x2={width}
        y1={height}
        y2={height}
        className="stroke-input"
        vectorEffect="non-scaling-stroke"
      />
      {line > 0 && line < width && (
        <line
          x1={line}
          x2={line}
          y1={0}
          y2={height}
          className="stroke-danger"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
