import type { ProcessingRecord } from '@cellfolio/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, plural, shortName } from '@/lib/format.ts';
import { height, HistogramBars, width } from './histogram.tsx';
import { shareText } from './report-text.ts';

export type Doublets = NonNullable<NonNullable<ProcessingRecord['samples']>['doublets']>;
type Group = Doublets['groups'][number];

interface DoubletScoresProps {
  doublets: Doublets;
  /** Threshold being chosen, instead of those used; `null`: one is to be found in each sample. */
  tried?: Tried;
}

type Tried = number | null | undefined;

export function DoubletScores({ doublets, tried: typed }: DoubletScoresProps) {
  // What is in force is known exactly.
  const tried = typed === (doublets.threshold ?? null) ? undefined : typed;
  const groups = doublets.groups.filter(({ histogram }) => histogram !== undefined);
  if (groups.length === 0) return null;
  const bins = Math.max(...groups.map(({ histogram }) => histogram?.observed.length ?? 0));
  const shown = shownBins(groups, tried);
  const left = doublets.groups.length - groups.length;
  return (
    <div className="flex flex-col gap-1">
      <Table aria-label="Doublet scores of each sample">
        <TableHeader>
          <TableRow>
            <TableHead>Sample</TableHead>
            <TableHead>Scores of cells</TableHead>
            <TableHead>Scores of simulated doublets</TableHead>
            <TableHead className="text-right">Threshold</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {groups.map((group) => (
            <ScoresRow
              key={group.sample ?? ''}
              {...{ group, shown, tried }}
              chosen={doublets.threshold !== undefined}
            />
          ))}
        </TableBody>
        <tfoot className="text-muted text-[11px] tabular-nums">
          <tr>
            <th scope="row" className="px-2 text-left font-normal">
              Range
            </th>
            {['cells', 'simulated'].map((of) => (
              <td key={of} className="px-2">
                <Axis to={shown / bins} />
              </td>
            ))}
            <td aria-hidden />
          </tr>
        </tfoot>
      </Table>
      <p className="text-muted text-xs">
        Heights are square roots of numbers.
        {left > 0 &&
          ` ${plural(left, 'more sample has', 'more samples have')} no histogram: too few cells, or not among the largest.`}
      </p>
    </div>
  );
}

function Axis({ to }: { to: number }) {
  return (
    <span className="flex justify-between">
      <span>0</span>
      <span>{to / 2}</span>
      <span>{to}</span>
    </span>
  );
}

interface ScoresRowProps {
  group: Group;
  shown: number;
  tried: Tried;
  chosen: boolean;
}

function ScoresRow({ group, shown, tried, chosen }: ScoresRowProps) {
  const { sample, cells, called, detectable = 0, histogram } = group;
  if (histogram === undefined) return null;
  const name = sample === undefined ? 'Without a sample' : shortName(sample);
  const threshold = tried === undefined ? group.threshold : (tried ?? undefined);
  const above =
    tried === undefined || tried === null
      ? { cells: `${formatCount(called)} of ${formatCount(cells)}`, simulated: shareText(detectable) }
      : {
          cells: `about ${formatCount(Math.round(countAbove(histogram.observed, tried)))} of ${formatCount(cells)}`,
          simulated: `about ${shareText(countAbove(histogram.simulated, tried) / sumOf(histogram.simulated))}`,
        };
  const columns = [
    { of: 'cells', scores: histogram.observed, text: `${above.cells} above` },
    { of: 'simulated doublets', scores: histogram.simulated, text: `${above.simulated} above` },
  ];
  return (
    <TableRow className="align-top">
      <TableHead
        scope="row"
        className="max-w-40 min-w-24 text-left font-medium wrap-break-word whitespace-normal"
      >
        {name}
      </TableHead>
      {columns.map(({ of, scores, text }) => (
        <TableCell key={of} className="w-[35%]">
          <Histogram
            label={`Scores of ${of} of ${name}: ${threshold === undefined ? 'no threshold' : `${text} ${scoreText(threshold)}`}`}
            counts={scores.slice(0, shown)}
            line={threshold === undefined ? undefined : (threshold * scores.length) / shown}
          />
          <span className="text-muted block text-xs tabular-nums">
            {threshold === undefined ? (tried === null ? '' : 'none called') : text}
          </span>
        </TableCell>
      ))}
      <TableCell className="text-right tabular-nums">
        {threshold === undefined ? (tried === null ? 'automatic' : 'none') : scoreText(threshold)}
        <span className="text-muted block text-xs">{originText({ threshold, tried, chosen })}</span>
      </TableCell>
    </TableRow>
  );
}

function originText({
  threshold,
  tried,
  chosen,
}: Pick<ScoresRowProps, 'tried' | 'chosen'> & { threshold: number | undefined }): string {
  if (tried !== undefined) return tried === null ? 'detected on build' : 'set on build';
  if (chosen) return 'set by hand';
  return threshold === undefined ? 'no two modes' : 'automatic';
}

interface HistogramProps {
  label: string;
  counts: readonly number[];
  /** Share of the width; not shown beyond 1. */
  line: number | undefined;
}

function Histogram({ label, counts, line }: HistogramProps) {
  const x = line === undefined || line > 1 ? undefined : line * width;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-10 w-full min-w-24"
    >
      <HistogramBars
        counts={counts}
        line={x}
        beyond={x === undefined ? undefined : { x, width: width - x }}
      />
    </svg>
  );
}

/** Number of bins up to the highest score and threshold; even, so that the middle is an edge. */
function shownBins(groups: readonly Group[], tried: Tried): number {
  const ends = groups.flatMap(({ histogram, threshold = 0 }) => {
    const { observed = [], simulated = [] } = histogram ?? {};
    const last = (counts: readonly number[]) => counts.findLastIndex((count) => count > 0) + 1;
    const at = (score: number) => Math.min(observed.length, Math.floor(score * observed.length) + 1);
    return [last(observed), last(simulated), at(threshold), at(tried ?? 0)];
  });
  return 2 * Math.ceil(Math.max(2, ...ends) / 2);
}

/** Estimated number of scores above `score`; its own bin counts in proportion to the position in it. */
export function countAbove(counts: readonly number[], score: number): number {
  const at = score * counts.length;
  const bin = Math.floor(at);
  return sumOf(counts.slice(bin + 1)) + (counts[bin] ?? 0) * (bin + 1 - at);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

export function scoreText(score: number): string {
  return String(Number(score.toFixed(3)));
}
