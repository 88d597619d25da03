import { ChevronDown, FlaskConical, Info, TriangleAlert } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import type { AnalysisResult, AnyAnswer, FigurePanelProps, FollowUp } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { ResultDownloads } from './result-downloads.tsx';
import { DrawnFigure, ResultFigure, ShownFigure } from './result-figure.tsx';
import { useCalledGroups, useMarkedGroups } from './result-rows.ts';
import { exactCell, formatCell, type GroupNames, previewRows } from './result-table.ts';
import { TableRows } from './result-table-view.tsx';
import { listName, ResultToolbar } from './result-toolbar.tsx';
import { RowFigureButton } from './row-figure.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { AnalysisRuns } from './use-analysis-runs.ts';
import { useTableView } from './use-table-view.ts';

interface ResultsDialogProps {
  runs: AnalysisRuns;
  /** Maximum number of genes in one gene plot. */
  genesPerCall: number;
  /** Puts genes into Gene Visualization. */
  onSendGenes: (genes: readonly string[]) => void;
}

/** The result that is open: its preview and figure, its whole table, and its files. */
export function ResultsDialog({ runs, genesPerCall, onSendGenes }: ResultsDialogProps) {
  const open = runs.open;
  return (
    <Dialog open={open !== null} onOpenChange={(isOpen) => !isOpen && runs.show(null)}>
      {open !== null && (
        <DialogContent className="h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),84rem)] gap-3 p-5">
          <ErrorBoundary region="The result">
            <ResultView
              key={open.result.id}
              result={open.result}
              ranAt={open.analysis.ranAt}
              changes={runs.changesOf(open.analysis)}
              genesPerCall={genesPerCall}
              onSendGenes={(genes) => {
                runs.show(null);
                onSendGenes(genes);
              }}
              onEnrich={runs.enrich}
              onRun={(request) => runs.runInstead(open.analysis, request)}
              onFollow={({ module, change }) => runs.prepare(module, change)}
            />
          </ErrorBoundary>
        </DialogContent>
      )}
    </Dialog>
  );
}

interface ResultViewProps {
  result: AnalysisResult;
  /** When it was run, in milliseconds since the epoch. */
  ranAt: number;
  /** Changes since then. */
  changes: readonly string[];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
  /** Runs another request on the same cells. */
  onRun: (request: object) => void;
  onFollow: (next: FollowUp) => void;
}

function ResultView(props: ResultViewProps) {
  const { result, ranAt, changes, genesPerCall, onSendGenes, onEnrich, onRun, onFollow } = props;
  const { table } = result;
  const read = useMemo(() => readResult(result), [result]);
  const { title, plots, furtherFigures = [], Facts, Figure, diagnostics } = result.module;
  const { source } = result.answer;
  const { figure, panelTitle = plots === undefined ? figure : 'Plots' } = result.module;
  const hasDiagnostics = diagnostics?.has(result.answer) === true;
  const called = useCalledGroups(result);
  const view = useTableView(table, { directions: read.directions, plots, called });
  const marked = useMarkedGroups(result);
  const dataset = { filename: result.datasetName, version: result.version };
  const panel: FigurePanelProps<AnyAnswer> = {
    answer: result.answer,
    table,
    group: view.group,
    plots: plots ?? [],
    figure: view.figure,
    onFigure: view.setFigure,
    selected: view.selected,
    onSelect: view.select,
    dataset,
    onGene: (gene) => onSendGenes([gene]),
    onGenes: (genes) => onSendGenes(genes.slice(0, genesPerCall)),
  };
  const selectionBar = (
    <SelectionBar
      table={table}
      view={view}
      suggestion={`Selected ${listName(result, '')}`}
      genesPerCall={genesPerCall}
      onSendGenes={onSendGenes}
    />
  );
  const { nothing, summary } = read;
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 pr-10">
        <div className="min-w-80 flex-1">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription className="text-[13px] wrap-anywhere">
            {nothing === null && !result.again && (
              <>
                <span className="text-success font-medium">{title} Complete</span>
                {' · '}
              </>
            )}
            {summary(result.subsetName === 'Global' ? 'all cells' : result.subsetName)}
            {result.again && `. Run on ${timeOf(ranAt)}, and computed again now`}
          </DialogDescription>
        </div>
        <ResultDownloads result={result} view={view} />
      </div>
      {changes.length > 0 && (
        <Alert variant="warning" role="note" aria-label="Changed since" className="text-foreground shrink-0">
          <TriangleAlert aria-hidden className="text-warning" />
          <p className="min-w-0 flex-1 wrap-anywhere">{changes.join(' ')}</p>
        </Alert>
      )}
      {Facts !== undefined && <Facts answer={result.answer} onRun={onRun} />}
      {nothing !== null && table.rowCount > 0 && (
        <Alert role="status" className="shrink-0">
          <Info aria-hidden />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">{nothing.title}.</span> {nothing.text}
          </p>
        </Alert>
      )}
      <FollowUps result={result} group={view.group} onFollow={onFollow} />
      <ResultNotes result={result} />
      <Tabs defaultValue="preview" className="flex min-h-0 flex-1 flex-col gap-3">
        <TabsList className="self-start">
          <TabsTrigger value="preview">Preview</TabsTrigger>
          <TabsTrigger value="table">Full Table ({formatCount(table.rowCount)})</TabsTrigger>
          <TabsTrigger value="figure">{panelTitle}</TabsTrigger>
          {source !== null &&
            furtherFigures.map((further) => (
              <TabsTrigger key={further.figure} value={further.figure}>
                {further.figure}
              </TabsTrigger>
            ))}
          {hasDiagnostics && <TabsTrigger value="diagnostics">Diagnostics</TabsTrigger>}
        </TabsList>
        <TabsContent value="preview" className="min-h-0 flex-1 overflow-y-auto">
          <ResultPreview result={result} called={called} />
        </TabsContent>
        <TabsContent value="table" className="flex min-h-0 flex-1 flex-col gap-2" tabIndex={-1}>
          {table.rowCount === 0 ? (
            <NothingFound result={result} />
          ) : (
            <>
              <ResultToolbar
                result={result}
                view={view}
                genesPerCall={genesPerCall}
                labelOf={(group) => called?.get(group) ?? group}
                onSendGenes={onSendGenes}
                onEnrich={onEnrich}
              />
              {selectionBar}
              <TableRows
                title={title}
                table={table}
                view={view}
                names={{ marked, called }}
                genesPerCall={genesPerCall}
                dataset={dataset}
                renderAction={(row) => <RowFigureButton result={result} row={row} />}
                onSendGenes={onSendGenes}
              />
            </>
          )}
        </TabsContent>
        <TabsContent value="figure" className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto">
          {Figure ? (
            <>
              <Figure {...panel} />
              {selectionBar}
            </>
          ) : (
            <ShownFigure result={result} view={view} />
          )}
        </TabsContent>
        {source !== null &&
          furtherFigures.map((further) => (
            <TabsContent
              key={further.figure}
              value={further.figure}
              className="min-h-0 flex-1 overflow-y-auto"
            >
              <DrawnFigure
                source={further.sourceOf(source)}
                alt={`${further.figure} of the ${title}`}
                word={further.figure.toLowerCase()}
              />
            </TabsContent>
          ))}
        {hasDiagnostics && (
          <TabsContent value="diagnostics" className="min-h-0 flex-1 overflow-y-auto">
            <diagnostics.Panel {...panel} />
          </TabsContent>
        )}
      </Tabs>
    </>
  );
}

interface FollowUpsProps {
  result: AnalysisResult;
  group: string;
  onFollow: (next: FollowUp) => void;
}

/** The analyses that go on from a result. */
function FollowUps({ result: { module, answer, table }, group, onFollow }: FollowUpsProps) {
  const next = useMemo(
    () => module.followUps?.({ answer, table, group }) ?? [],
    [module, answer, table, group],
  );
  if (next.length === 0) return null;
  return (
    <div role="group" aria-label="Go on with" className="flex shrink-0 flex-wrap gap-2">
      {next.map((one) => (
        <Button
          key={one.label}
          variant="secondary"
          size="xs"
          title={one.title}
          disabled={one.disabled}
          onClick={() => onFollow(one)}
        >
          <FlaskConical aria-hidden />
          {one.label}
        </Button>
      ))}
    </div>
  );
}

/** `Nov 22, 2026, 2:03 PM`, in the time of this device. */
function timeOf(ranAt: number): string {
  return new Date(ranAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Notes that are read whole at once; of more, each is cut to one line until all are asked for. */
const readWhole = 1;
/** Characters that fit on about one line of the dialog. */
const oneLine = 110;

/** What limits the result, the gravest first: a line of each, and all of it on request. */
export function ResultNotes({ result }: { result: AnalysisResult }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const notes = [...new Set(readResult(result).cautions)];
  if (notes.length === 0) return null;
  const isLong = notes.length > readWhole || notes.some((note) => note.length > oneLine);
  return (
    <Alert variant="warning" role="note" aria-label="Cautions" className="text-foreground shrink-0">
      <TriangleAlert aria-hidden className="text-warning" />
      <ul
        id={id}
        className={cn(
          'flex min-w-0 flex-1 flex-col gap-0.5',
          isOpen && 'max-h-[38dvh] gap-1.5 overflow-y-auto',
        )}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
        tabIndex={isOpen ? 0 : undefined}
      >
        {notes.map((note) => (
          <li key={note} className={isOpen || !isLong ? 'wrap-anywhere' : 'truncate'}>
            {note}
          </li>
        ))}
      </ul>
      {isLong && (
        <Button
          variant="ghost"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : notes.length === 1 ? 'Read it' : `Read all ${notes.length}`}
          <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
        </Button>
      )}
    </Alert>
  );
}

/** The first and last five rows, and the figure below them. */
function ResultPreview({ result, called }: { result: AnalysisResult } & Pick<GroupNames, 'called'>) {
  const { table } = result;
  if (table.rowCount === 0) return <NothingFound result={result} />;
  const { first, last, between } = previewRows(table.rowCount);
  const row = (at: number) => (
    <TableRow key={at}>
      {table.columns.map((column) => (
        <TableCell
          key={column.name}
          className={column.numbers ? 'text-right tabular-nums' : 'max-w-72 truncate'}
          title={exactCell(column, at, called)}
        >
          {formatCell(column, at, { called })}
        </TableCell>
      ))}
    </TableRow>
  );
  return (
    <div className="flex flex-col gap-4">
      <Table aria-label={`Preview of the ${result.module.title}`}>
        <TableHeader>
          <TableRow>
            {table.columns.map(({ name, label, numbers }) => (
              <TableHead key={name} className={numbers ? 'text-right' : ''} title={name}>
                {label}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {first.map(row)}
          {between > 0 && (
            <TableRow className="bg-surface-2">
              <TableCell colSpan={table.columns.length} className="text-muted text-center text-xs">
                {between === 1 ? '1 more row' : `${formatCount(between)} more rows`} in the full table
              </TableCell>
            </TableRow>
          )}
          {last.map(row)}
        </TableBody>
      </Table>
      <ResultFigure result={result} />
    </div>
  );
}

function NothingFound({ result }: { result: AnalysisResult }) {
  const { nothing } = readResult(result);
  return (
    <EmptyState title={nothing?.title ?? 'Nothing was found'}>
      <p>{nothing?.text}</p>
    </EmptyState>
  );
}
