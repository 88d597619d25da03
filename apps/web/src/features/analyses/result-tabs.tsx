import type { FigureSource } from '@cellfolio/contract';
import { type ReactNode, type RefObject, use, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ArrowLeft, ChartScatter, Map as MapIcon } from 'lucide-react';
import { isLiveMap } from '@cellfolio/figures/content';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { fileNamePart } from '@/lib/files.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import {
  type AnalysisResult,
  type AnyAnswer,
  type FigurePanelProps,
  furtherFigures,
  readResult,
  type RowFigure,
} from './analysis-module.ts';
import { GeneCell, GenesOnMapContext } from './draw-genes.tsx';
import { DrawnFigure, ResultFigure, ShownFigure } from './result-figure.tsx';
import { useMarkedGroups } from './result-rows.ts';
import { exactCell, formatCell, genesOf, type GroupNames, hasGenes, previewRows } from './result-table.ts';
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
  const { opened, back, onOpen, onBack } = useOpenedFigure();
  const hasDiagnostics = diagnostics?.has(result.answer) === true;
  const panel = useFigurePanel(props);
  const selectionBar = (
    <SelectionBar
      table={table}
      view={view}
      suggestion={`Selected ${listName(result, '')}`}
      genesPerCall={genesPerCall}
      onSendGenes={onSendGenes}
      renderMore={(genes) => (
        <GenesFigureButton
          result={result}
          group={view.figure.part ?? view.group}
          genes={genes}
          onOpen={onOpen}
        />
      )}
    />
  );
  return (
    <>
      {opened !== null && <FigureView figure={opened} {...{ back, onBack }} onShow={props.onShow} />}
      <Tabs
        defaultValue={opensWithPanel ? 'figure' : 'preview'}
        className={cn(
          // A height of its own bounds the rows that are rendered, wherever the dock scrolls.
          'low-dock:flex-1 low-dock:min-h-80 flex min-h-0 min-w-0 flex-[1_0_30rem] flex-col gap-2',
          opened !== null && 'hidden',
        )}
      >
        <TabsList className="max-w-full shrink-0 auto-cols-[minmax(max-content,1fr)] self-start overflow-x-auto [&>button]:px-2 [&>button]:text-[13px] [&>button]:whitespace-nowrap">
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
            <ResultRows {...props} selectionBar={selectionBar} onOpen={onOpen} />
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
    </>
  );
}

function useFigurePanel({
  result,
  view,
  genesPerCall,
  onSendGenes,
}: ResultTabsProps): FigurePanelProps<AnyAnswer> {
  const map = use(GenesOnMapContext);
  return {
    answer: result.answer,
    table: result.table,
    group: view.group,
    plots: result.module.plots ?? [],
    figure: view.figure,
    onFigure: view.setFigure,
    selected: view.selected,
    onSelect: view.select,
    dataset: datasetOf(result),
    mapGene: map?.gene ?? null,
    onMapGene: (gene) => map?.show(gene),
    onGene: (gene) => onSendGenes([gene]),
    onGenes: (genes) => onSendGenes(genes.slice(0, genesPerCall)),
  };
}

function ResultRows(props: ResultTabsProps & OpensFigures & { selectionBar: ReactNode }) {
  const { result, view, called, genesPerCall, onSendGenes, onEnrich, onOpen, selectionBar } = props;
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
        renderAction={(row) => <RowFigureButtons result={result} row={row} onOpen={onOpen} />}
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
  const gene = use(GenesOnMapContext)?.gene ?? undefined;
  if (table.rowCount === 0) return <NothingFound result={result} />;
  const { first, last, between } = previewRows(table);
  const isOnMap = (at: number) => gene !== undefined && hasGenes(table) && genesOf(table, [at])[0] === gene;
  const row = (at: number) => (
    <TableRow
      key={at}
      className={isOnMap(at) ? 'bg-accent-soft' : ''}
      aria-current={isOnMap(at) || undefined}
    >
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

/** A figure of some genes or of a row, which is shown in place of the result until the user goes back. */
interface OpenedFigure {
  title: string;
  about: string;
  source: FigureSource;
  /** Name for the middle of a sentence. */
  word: string;
  /** File name without extension. */
  file: string;
}

interface OpensFigures {
  onOpen: (figure: OpenedFigure) => void;
}

/**
 * The opened figure, which has the focus when it opens; going back returns it. Not by effects, which also run when the
 * tab of the result is hidden or shown.
 */
function useOpenedFigure() {
  const [opened, setOpened] = useState<OpenedFigure | null>(null);
  const opener = useRef<Element | null>(null);
  const back = useRef<HTMLButtonElement>(null);
  return {
    opened,
    back,
    onOpen: (figure: OpenedFigure) => {
      opener.current = document.activeElement;
      flushSync(() => setOpened(figure));
      back.current?.focus();
    },
    onBack: () => {
      flushSync(() => setOpened(null));
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    },
  };
}

interface FigureViewProps {
  figure: OpenedFigure;
  back: RefObject<HTMLButtonElement | null>;
  onBack: () => void;
  onShow: (source: FigureSource) => void;
}

function FigureView({ figure, back, onBack, onShow }: FigureViewProps) {
  const { title, about, source, word, file } = figure;
  return (
    <section aria-label={title} className="flex min-w-0 flex-1 flex-col gap-2 overflow-y-auto">
      <div className="flex flex-wrap items-center gap-2">
        <Button ref={back} variant="secondary" size="sm" onClick={onBack}>
          <ArrowLeft aria-hidden />
          Back to the result
        </Button>
        {isLiveMap(source.content) && (
          <Button variant="secondary" size="sm" onClick={() => onShow(source)}>
            <MapIcon aria-hidden />
            Show in the viewer
          </Button>
        )}
        <DownloadFigure source={source} title={title} word={word} file={file} />
      </div>
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="text-muted text-xs">{about}</p>
      <DrawnFigure source={source} alt={title} word={word} />
    </section>
  );
}

interface GenesFigureButtonProps extends OpensFigures {
  result: AnalysisResult;
  /** The viewed group; empty for all. */
  group: string;
  genes: readonly string[];
}

function GenesFigureButton({ result, group, genes, onOpen }: GenesFigureButtonProps) {
  const { module, answer } = result;
  const figure = module.figureOfGenes;
  if (figure === undefined || answer.source === null || genes.length === 0) return null;
  const plottedGenes = genes.slice(0, figure.max);
  const isCut = plottedGenes.length < genes.length;
  const title = `${figure.name} of ${isCut ? 'the first ' : ''}${plural(plottedGenes.length, 'selected gene')}`;
  const source = figure.source(answer.source, plottedGenes, group);
  const file = `${module.files.table}_selected_genes`;
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => onOpen({ title, about: figure.about, source, word: figure.name.toLowerCase(), file })}
    >
      <ChartScatter aria-hidden />
      {figure.name}
    </Button>
  );
}

interface RowFiguresProps extends OpensFigures {
  result: AnalysisResult;
  /** Row index in the file. */
  row: number;
}

function RowFigureButtons({ result, row, onOpen }: RowFiguresProps) {
  const { figuresOfRow = [] } = result.module;
  return (
    <span className="inline-flex align-middle">
      {figuresOfRow.map((figure) => (
        <RowFigureButton key={figure.name} {...{ result, row, figure, onOpen }} />
      ))}
    </span>
  );
}

function RowFigureButton({
  result: { module, answer, table },
  row,
  figure: { name, about, source: sourceOf },
  onOpen,
}: RowFiguresProps & { figure: RowFigure }) {
  const figure = answer.source && sourceOf(answer.source, table, row);
  if (!figure) return null;
  const title = `${name} of ${figure.title}`;
  const file = `${module.files.table}_${fileNamePart(title)}`;
  return (
    <Button
      variant="ghost"
      size="xs"
      aria-label={title}
      onClick={() => onOpen({ title, about, source: figure.source, word: 'figure', file })}
    >
      {name}
    </Button>
  );
}
