import type { FigureSource } from '@cellfolio/contract';
import { type ReactNode, useState } from 'react';
import { ChartScatter, Map as MapIcon } from 'lucide-react';
import { isLiveMap } from '@cellfolio/figures/content';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { formatCount, plural } from '@/lib/format.ts';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import {
  type AnalysisResult,
  type AnyAnswer,
  type FigurePanelProps,
  furtherFigures,
  readResult,
  type RowFigure,
} from './analysis-module.ts';
import { DrawGenes, GeneCell } from './draw-genes.tsx';
import { DrawnFigure, ResultFigure, ShownFigure } from './result-figure.tsx';
import { useMarkedGroups } from './result-rows.ts';
import { exactCell, formatCell, type GroupNames, previewRows } from './result-table.ts';
import { TableRows } from './result-table-view.tsx';
import { listName, ResultToolbar } from './result-toolbar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { TableView } from './use-table-view.ts';
import { DownloadFigure } from './download-figure.tsx';

interface ResultTabsProps {
  result: AnalysisResult;
  view: TableView;
  called: GroupNames['called'];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
  onShow: (source: FigureSource) => void;
}

export function ResultTabs(props: ResultTabsProps) {
  const { result, view, called, genesPerCall, onSendGenes } = props;
  const { table } = result;
  const { title, plots, Figure, opensWithPanel, diagnostics } = result.module;
  const further = furtherFigures(result);
  const { figure, panelTitle = plots === undefined ? figure : 'Plots' } = result.module;
  const hasDiagnostics = diagnostics?.has(result.answer) === true;
  const panel: FigurePanelProps<AnyAnswer> = {
    answer: result.answer,
    table,
    group: view.group,
    plots: plots ?? [],
    figure: view.figure,
    onFigure: view.setFigure,
    selected: view.selected,
    onSelect: view.select,
    dataset: datasetOf(result),
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
      renderMore={(genes) => (
        <GenesFigureButton result={result} group={view.figure.part ?? view.group} genes={genes} />
      )}
    />
  );
  return (
    <DrawGenes value={panel.onGenes}>
      <Tabs
        defaultValue={opensWithPanel ? 'figure' : 'preview'}
        className="flex min-h-0 flex-1 flex-col gap-3"
      >
        <TabsList className="self-start">
          <TabsTrigger value="preview">Preview</TabsTrigger>
          <TabsTrigger value="table">Full Table ({formatCount(table.rowCount)})</TabsTrigger>
          <TabsTrigger value="figure">{panelTitle}</TabsTrigger>
          {further.map(({ figure: name }) => (
            <TabsTrigger key={name} value={name}>
              {name}
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
              <ResultRows {...props} selectionBar={selectionBar} />
            </>
          )}
        </TabsContent>
        {/* A panel that the result opens with keeps what was chosen in it while another tab is looked at. */}
        <TabsContent
          value="figure"
          forceMount={opensWithPanel}
          className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto data-[state=inactive]:hidden"
        >
          {Figure ? (
            <>
              <Figure {...panel} />
              {selectionBar}
            </>
          ) : (
            <ShownFigure result={result} view={view} />
          )}
        </TabsContent>
        {further.map(({ figure: name, source }) => (
          <TabsContent key={name} value={name} className="min-h-0 flex-1 overflow-y-auto">
            <DrawnFigure source={source} alt={`${name} of the ${title}`} word={name.toLowerCase()} />
          </TabsContent>
        ))}
        {hasDiagnostics && (
          <TabsContent value="diagnostics" className="min-h-0 flex-1 overflow-y-auto">
            <diagnostics.Panel {...panel} />
          </TabsContent>
        )}
      </Tabs>
    </DrawGenes>
  );
}

function ResultRows(props: ResultTabsProps & { selectionBar: ReactNode }) {
  const { result, view, called, genesPerCall, onSendGenes, onEnrich, onShow, selectionBar } = props;
  const marked = useMarkedGroups(result);
  return (
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
        title={result.module.title}
        table={result.table}
        view={view}
        names={{ marked, called }}
        genesPerCall={genesPerCall}
        dataset={datasetOf(result)}
        renderAction={(row) => <RowFigureButtons result={result} row={row} onShow={onShow} />}
        onSendGenes={onSendGenes}
      />
    </>
  );
}

function datasetOf({ datasetName, version }: AnalysisResult) {
  return { filename: datasetName, version };
}

function ResultPreview({ result, called }: { result: AnalysisResult } & Pick<GroupNames, 'called'>) {
  const { table } = result;
  if (table.rowCount === 0) return <NothingFound result={result} />;
  const { first, last, between } = previewRows(table);
  const row = (at: number) => (
    <TableRow key={at}>
      {table.columns.map((column) => (
        <TableCell
          key={column.name}
          className={column.numbers ? 'text-right whitespace-nowrap tabular-nums' : 'max-w-72 truncate'}
          title={exactCell(column, at, called)}
        >
          <GeneCell column={column} text={formatCell(column, at, { called })} />
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
              <TableCell colSpan={table.columns.length} className="text-muted text-xs">
                {/* In view however wide the table is. */}
                <span className="sticky left-2">{plural(between, 'more row')} in the full table</span>
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

interface GenesFigureButtonProps {
  result: AnalysisResult;
  /** The viewed group; empty for all. */
  group: string;
  genes: readonly string[];
}

function GenesFigureButton({ result, group, genes }: GenesFigureButtonProps) {
  const { module, answer } = result;
  const [open, setOpen] = useState(false);
  const figure = module.figureOfGenes;
  if (figure === undefined || answer.source === null || genes.length === 0) return null;
  const plottedGenes = genes.slice(0, figure.max);
  const isCut = plottedGenes.length < genes.length;
  const title = `${figure.name} of ${isCut ? 'the first ' : ''}${plural(plottedGenes.length, 'selected gene')}`;
  const source = figure.source(answer.source, plottedGenes, group);
  return (
    <>
      <Button variant="secondary" size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ChartScatter aria-hidden />
        {figure.name}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent className="max-h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),64rem)] gap-3 overflow-y-auto p-5">
          <div className="flex flex-wrap items-start gap-2 pr-10">
            <div className="min-w-0 flex-1">
              <DialogTitle>{title}</DialogTitle>
              <DialogDescription className="text-[13px]">{figure.about}</DialogDescription>
            </div>
            <DownloadFigure
              source={source}
              title={title}
              word={figure.name.toLowerCase()}
              file={`${module.files.table}_selected_genes`}
            />
          </div>
          <DrawnFigure source={source} alt={title} word={figure.name.toLowerCase()} />
        </DialogContent>
      </Dialog>
    </>
  );
}

interface RowFiguresProps {
  result: AnalysisResult;
  /** Row index in the file. */
  row: number;
  onShow: (source: FigureSource) => void;
}

function RowFigureButtons({ result, row, onShow }: RowFiguresProps) {
  const { figuresOfRow = [] } = result.module;
  return (
    <span className="inline-flex align-middle">
      {figuresOfRow.map((figure) => (
        <RowFigureButton key={figure.name} {...{ result, row, figure, onShow }} />
      ))}
    </span>
  );
}

function RowFigureButton({
  result: { answer, table },
  row,
  figure: { name, about, source: sourceOf },
  onShow,
}: RowFiguresProps & { figure: RowFigure }) {
  const [open, setOpen] = useState(false);
  const figure = answer.source && sourceOf(answer.source, table, row);
  if (!figure) return null;
  const { source, title } = figure;
  return (
    <>
      <Button
        variant="ghost"
        size="xs"
        aria-label={`${name} of ${title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {name}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent className="max-w-[min(calc(100vw-2rem),52rem)] gap-3 p-5">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription className="text-[13px]">{about}</DialogDescription>
          <DrawnFigure source={source} alt={`${name} of ${title}`} word="figure" />
          {isLiveMap(source.content) && (
            <Button variant="secondary" size="sm" className="self-start" onClick={() => onShow(source)}>
              <MapIcon aria-hidden />
              Show in the viewer
            </Button>
          )}
        </DialogContent>
      </Dialog>
    </>
  );
}
