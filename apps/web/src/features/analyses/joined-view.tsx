import { type ReactNode, use, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { DropdownMenuItem, DropdownMenuLabel } from '@/components/ui/dropdown-menu.tsx';
import { chartScales, PointsChart } from '@/features/gene-points/index.ts';
import { columnNamed, type HeldTable, passLabels, tableFormats, textAt } from '@/features/tables/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount, plural } from '@/lib/format.ts';
import {
  type ComparedMeasure,
  comparedMeasures,
  type ComparedPoints,
  comparedPoints,
  type Overlap,
  overlapOf,
} from './compared-results.ts';
import { GenesOnMapContext, useRowOfGene } from './draw-genes.tsx';
import { DownloadMenu } from './result-downloads.tsx';
import { useSaveResult } from './use-save-result.ts';
import { formatCell } from './result-table.ts';
import { TableRows } from './result-table-view.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { type TableView, useTableView } from './use-table-view.ts';

interface JoinedViewProps {
  joined: HeldTable;
  titles: readonly [string, string];
  summaries: readonly string[];
  dataset: { filename: string; version: string };
  thresholdText: string;
  thresholdFields: ReactNode;
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
}

export function JoinedView(props: JoinedViewProps) {
  const { joined, titles, dataset, genesPerCall, onSendGenes } = props;
  const view = useTableView(joined, { groupColumn: 'passes_in' });
  const [measure, setMeasure] = useState<ComparedMeasure>('change');
  const overlap = useMemo(() => overlapOf(joined), [joined]);
  const compared = useMemo(() => comparedPoints(joined, measure), [joined, measure]);
  const notes = notesOf(props, compared, overlap);
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2">
        <div role="group" aria-label="Measure" className="bg-surface-2 flex rounded-md p-0.5">
          {comparedMeasures.map(({ id, label }) => (
            <Button
              key={id}
              variant={id === measure ? 'secondary' : 'ghost'}
              size="xs"
              aria-pressed={id === measure}
              onClick={() => setMeasure(id)}
            >
              {label}
            </Button>
          ))}
        </div>
        <p role="status" className="text-[13px] tabular-nums">
          {correlationText(compared)}
        </p>
        <div className="ml-auto">{props.thresholdFields}</div>
        <JoinedDownload joined={joined} view={view} notes={notes} />
      </div>
      <OverlapCounts overlap={overlap} view={view} />
      <SelectionBar
        table={joined}
        view={view}
        suggestion="Compared genes"
        genesPerCall={genesPerCall}
        onSendGenes={onSendGenes}
      />
      {/* Rows of a height of their own: one that grew with its table would render all of it. */}
      <div className="grid gap-3 @max-[56rem]/dock:shrink-0 @max-[56rem]/dock:grid-cols-[minmax(0,1fr)] @max-[56rem]/dock:grid-rows-[auto_24rem] @min-[56rem]/dock:min-h-80 @min-[56rem]/dock:flex-1 @min-[56rem]/dock:grid-cols-2 @min-[56rem]/dock:grid-rows-[minmax(0,1fr)]">
        <ComparedChart joined={joined} titles={titles} compared={compared} view={view} />
        <div className="flex min-h-0 flex-col">
          <TableRows
            title="Compared Genes"
            table={joined}
            view={view}
            genesPerCall={genesPerCall}
            dataset={dataset}
            onSendGenes={onSendGenes}
          />
        </div>
      </div>
    </>
  );
}

function correlationText({ points, correlations }: ComparedPoints): string {
  const text = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(3).replace('-', '−'));
  return `${plural(points.rows.length, 'gene')} of both: Pearson ${text(correlations.pearson)}, Spearman ${text(correlations.spearman)}`;
}

const overlapLabels: readonly (readonly [text: string, label: string])[] = [
  [passLabels.both, 'Pass in both'],
  [passLabels.first, 'In 1 only'],
  [passLabels.second, 'In 2 only'],
  [passLabels.none, 'In neither'],
];

function OverlapCounts({
  overlap: { counts, agreeing, unshared },
  view,
}: {
  overlap: Overlap;
  view: TableView;
}) {
  const both = counts.get(passLabels.both) ?? 0;
  return (
    <div
      role="group"
      aria-label="Where genes pass"
      className="flex shrink-0 flex-wrap items-center gap-2 text-[13px]"
    >
      {overlapLabels.map(([text, label]) => (
        <Button
          key={text}
          variant="secondary"
          size="xs"
          aria-pressed={view.group === text}
          className={cn('tabular-nums', view.group === text && 'border-accent text-accent')}
          onClick={() => view.setGroup(view.group === text ? '' : text)}
        >
          {label}: {formatCount(counts.get(text) ?? 0)}
        </Button>
      ))}
      <p className="text-muted text-xs tabular-nums">
        {both > 0 && `${formatCount(agreeing)} of ${formatCount(both)} change in the same direction. `}
        {unshared > 0 && `${plural(unshared, 'gene')} without a value in one of the results.`}
      </p>
    </div>
  );
}

interface ComparedChartProps extends Pick<JoinedViewProps, 'joined' | 'titles'> {
  compared: ComparedPoints;
  view: TableView;
}

function ComparedChart({ joined, titles, compared, view }: ComparedChartProps) {
  const map = use(GenesOnMapContext);
  const { points, tones, x, y } = compared;
  const scales = useMemo(() => chartScales(x, y), [x, y]);
  const [pointed, setPointed] = useState<number | undefined>();
  const [gone, setGone] = useState<number | undefined>();
  const geneOf = useMemo(() => {
    const names = columnNamed(joined.columns, 'names');
    return (row: number) => (names === undefined ? '' : textAt(names, row));
  }, [joined]);
  const rowOfGene = useRowOfGene(joined, map?.gene ?? null);
  const wordsOf = (row: number) =>
    joined.columns
      .filter(({ numbers }) => numbers !== undefined)
      .map((column) => `${column.label}: ${formatCell(column, row) || '–'}`);
  return (
    <div className="flex min-h-0 flex-col gap-1">
      <PointsChart
        label="Genes of result 1 against result 2. Arrow keys go through the genes, those that pass in both first; the space bar selects one, Enter shows it on the map."
        points={points}
        tones={tones}
        scales={scales}
        ends={[`across 1: ${titles[0]}`, `up 2: ${titles[1]}`]}
        hasDiagonal
        selected={view.selected}
        onSelect={(rows, how) => {
          view.select(rows, how);
          if (rows.length === 0) map?.show(null);
        }}
        shown={pointed ?? gone ?? rowOfGene}
        onPoint={setPointed}
        onGo={setGone}
        geneOf={geneOf}
        wordsOf={wordsOf}
        onEnter={(row) => map?.show(geneOf(row))}
      />
      <p className="text-muted text-xs">
        Colors: <ToneName tone="first">passes in 1 only</ToneName>,{' '}
        <ToneName tone="second">in 2 only</ToneName>, <ToneName tone="both">in both</ToneName>. Dotted line:
        both are equal.
      </p>
    </div>
  );
}

const toneClasses = {
  first: 'text-[#b04a36] dark:text-[#e88a74]',
  second: 'text-[#3567b0] dark:text-[#6f9de0]',
  both: 'text-[#7b4fa3] dark:text-[#b893dc]',
} as const;

function ToneName({ tone, children }: { tone: keyof typeof toneClasses; children: ReactNode }) {
  return <span className={cn('font-medium', toneClasses[tone])}>{children}</span>;
}

function notesOf(
  { titles, summaries, dataset, thresholdText }: JoinedViewProps,
  compared: ComparedPoints,
  overlap: Overlap,
): string[] {
  const counts = overlapLabels.map(([text, label]) => `${label}: ${overlap.counts.get(text) ?? 0}`);
  return [
    `Data: ${dataset.filename}, version ${dataset.version}`,
    `Result one: ${titles[0]}, ${summaries[0] ?? ''}`,
    `Result two: ${titles[1]}, ${summaries[1] ?? ''}`,
    `Thresholds: ${thresholdText}`,
    `Correlation: ${correlationText(compared)}`,
    `Overlap: ${counts.join('; ')}`,
  ];
}

interface JoinedDownloadProps {
  joined: HeldTable;
  view: TableView;
  notes: readonly string[];
}

function JoinedDownload({ joined, view, notes }: JoinedDownloadProps) {
  const { save, preparing } = useSaveResult();
  const { shown } = view;
  const saveAs = ({ id, label }: (typeof tableFormats)[number]) =>
    save({
      name: `compared_genes.${id}`,
      what: label,
      file: () => joined.file(id, shown.rows, notes),
    });
  return (
    <DownloadMenu preparing={preparing} disabled={shown.rows.length === 0}>
      <DropdownMenuLabel>
        {shown.rows.length < joined.rowCount ? `Table of ${plural(shown.rows.length, 'gene')}` : 'Table'}
      </DropdownMenuLabel>
      {tableFormats.map((format) => (
        <DropdownMenuItem key={format.id} onSelect={() => saveAs(format)}>
          {format.label}
        </DropdownMenuItem>
      ))}
    </DownloadMenu>
  );
}
