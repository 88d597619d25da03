import type { QualityChoice, QualityPlan } from '@cellfolio/contract';
import type { ReactNode, PointerEvent } from 'react';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount, shortName } from '@/lib/format.ts';
import { reasonsText, removedText, shareText } from '../reports/report-text.ts';
import { height, HistogramBars, width } from '../reports/histogram.tsx';
import {
  effectiveChoice,
  liveThresholds,
  type Measure,
  type QualityGroup,
  keyedValue,
  placeOf,
  valueAt,
} from './live-thresholds.ts';
import type { Removal } from './removed-cells.ts';

interface QualityTableProps {
  plan: QualityPlan;
  choice: QualityChoice;
  removals: readonly (Removal | undefined)[];
  onThreshold: (measure: Measure, value: number) => void;
  onHold: (held: boolean) => void;
}

const measures = [
  ['counts', 'Total counts'],
  ['genes', 'Genes'],
  ['mitochondrial', 'Mitochondrial'],
] as const satisfies [Measure, string][];

/** Columns and rows keep their sizes whatever they contain, so that nothing moves under a dragging pointer. */
export function QualityTable({ plan, choice, removals, onThreshold, onHold }: QualityTableProps) {
  const shown = measures.filter(([measure]) => measure !== 'mitochondrial' || plan.mitochondrialGenes > 0);
  return (
    <Table aria-label="Cells that would be removed" className="min-w-184 table-fixed">
      <TableHeader>
        <TableRow>
          <TableHead className="w-32">Sample</TableHead>
          {shown.map(([measure, name]) => (
            <TableHead key={measure} className="px-3">
              {name}
            </TableHead>
          ))}
          <TableHead className="w-60">Removed</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {plan.groups.map((group, at) => (
          <TableRow key={`${group.sample ?? ''} ${group.cells}`} className="align-top">
            <TableHead scope="row" className="text-left font-medium wrap-break-word whitespace-normal">
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
                {...{ plan, group, choice, measure, onThreshold, onHold }}
                label={`${name} of ${nameOf(plan, group)}`}
              />
            ))}
            <RemovedCell {...{ plan, group }} removal={removals[at]} />
          </TableRow>
        ))}
      </TableBody>
      <tfoot className="text-muted text-[11px] tabular-nums">
        <tr>
          <th scope="row" className="px-2 text-left font-normal">
            Range
          </th>
          {shown.map(([measure]) => (
            <td key={measure} className="px-3">
              <Axis edges={plan.edges[measure]} measure={measure} />
            </td>
          ))}
          <td aria-hidden />
        </tr>
      </tfoot>
    </Table>
  );
}

interface RemovedCellProps {
  plan: QualityPlan;
  group: QualityGroup;
  removal: Removal | undefined;
}

function RemovedCell({ plan, group, removal }: RemovedCellProps) {
  const { cells, removed: before } = group;
  const longest = `about ${formatCount(cells)} of ${formatCount(cells)} (99.9 %)`;
  if (removal === undefined) {
    return (
      <TableCell aria-busy>
        <Reserved longest={longest} className="text-muted line-through">
          {removedText(before, cells)}
        </Reserved>
        <Reserved longest={longestReasons(plan, cells)} className="text-xs" />
      </TableCell>
    );
  }
  const { removed, exact } = removal;
  const [tone, warning] = lossOf(removed.all, cells);
  return (
    <TableCell aria-busy={!exact}>
      <Reserved longest={longest} className={cn('font-medium', tone)}>
        {exact ? '' : 'about '}
        {removedText(removed, cells)}
      </Reserved>
      <Reserved longest={longestReasons(plan, cells)} className="text-muted text-xs">
        {warning}
        {reasonsText(removed)}
      </Reserved>
    </TableCell>
  );
}

function lossOf(all: number, cells: number): [string, string] {
  if (all === cells) return ['text-danger', 'All cells. '];
  return 2 * all > cells ? ['text-warning', 'More than half. '] : ['', ''];
}

function longestReasons({ mitochondrialGenes }: QualityPlan, cells: number): string {
  const mitochondrial = mitochondrialGenes > 0 ? cells : 0;
  return `More than half. ${reasonsText({ all: cells, noCounts: cells, counts: cells, genes: cells, mitochondrial, several: cells })}`;
}

interface MeasureCellProps extends Pick<QualityTableProps, 'plan' | 'choice' | 'onThreshold' | 'onHold'> {
  group: QualityGroup;
  measure: Measure;
  label: string;
}

function MeasureCell({ plan, group, choice, measure, label, onThreshold, onHold }: MeasureCellProps) {
  const {
    minimumCounts,
    minimumGenes,
    maximumMitochondrial = 1,
  } = liveThresholds(group, effectiveChoice(plan, choice));
  const threshold = { counts: minimumCounts, genes: minimumGenes, mitochondrial: maximumMitochondrial }[
    measure
  ];
  return (
    <TableCell className="px-3">
      {group.bins !== undefined && (
        <QualityHistogram
          {...{ label, measure, threshold, onHold }}
          edges={plan.edges[measure]}
          bins={group.bins[measure]}
          onMove={(value) => onThreshold(measure, value)}
        />
      )}
      <span className="text-muted mt-1 block truncate text-xs tabular-nums">
        {thresholdText(measure, threshold)}
      </span>
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

interface ReservedProps {
  longest: string;
  className?: string;
  children?: ReactNode;
}

/** Reserves the height of the longest version of a text, so that nothing moves when it changes. */
export function Reserved({ longest, className, children }: ReservedProps) {
  return (
    <span
      data-longest={longest}
      className={cn(
        'grid tabular-nums before:invisible before:col-start-1 before:row-start-1 before:content-[attr(data-longest)]',
        className,
      )}
    >
      <span className="col-start-1 row-start-1">{children}</span>
    </span>
  );
}

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

function QualityHistogram(props: QualityHistogramProps) {
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
function thresholdText(measure: Measure, threshold: number): string {
  if (measure === 'mitochondrial') return threshold >= 1 ? 'no threshold' : `at most ${shareText(threshold)}`;
  return threshold === 0 ? 'no threshold' : `at least ${formatCount(threshold)}`;
}
