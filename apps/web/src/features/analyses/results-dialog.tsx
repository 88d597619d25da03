import { Info, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { formatCount } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { ResultDownloads } from './result-downloads.tsx';
import { ShownFigure } from './result-figure.tsx';
import { resultTable } from './result-columns.ts';
import { ResultNotes } from './result-notes.tsx';
import { ResultPreview } from './result-preview.tsx';
import { ResultTableView } from './result-table-view.tsx';
import { useTableView } from './use-result-rows.ts';
import type { AnalysisRuns } from './use-analysis-runs.ts';

interface ResultsDialogProps {
  runs: AnalysisRuns;
  /** Most genes that one gene plot takes. */
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
  /** What is no longer as it was then. */
  changes: readonly string[];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
}

function ResultView({ result, ranAt, changes, genesPerCall, onSendGenes, onEnrich }: ResultViewProps) {
  const table = useMemo(() => resultTable(result), [result]);
  const view = useTableView(table);
  const { title, figure, Facts } = result.module;
  const { nothing, summary } = readResult(result);
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 pr-10">
        <div className="min-w-0 flex-1">
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
        <ResultDownloads result={result} table={table} shown={view.shown} />
      </div>
      {changes.length > 0 && (
        <Alert variant="warning" role="note" aria-label="Changed since" className="text-foreground shrink-0">
          <TriangleAlert aria-hidden className="text-warning" />
          <p className="min-w-0 flex-1 wrap-anywhere">{changes.join(' ')}</p>
        </Alert>
      )}
      {Facts !== undefined && <Facts answer={result.answer} />}
      {nothing !== null && table.rowCount > 0 && (
        <Alert role="status" className="shrink-0">
          <Info aria-hidden />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">{nothing.title}.</span> {nothing.text}
          </p>
        </Alert>
      )}
      <ResultNotes result={result} />
      <Tabs defaultValue="preview" className="flex min-h-0 flex-1 flex-col gap-3">
        <TabsList className="self-start">
          <TabsTrigger value="preview">Preview</TabsTrigger>
          <TabsTrigger value="table">Full Table ({formatCount(table.rowCount)})</TabsTrigger>
          <TabsTrigger value="figure">{figure}</TabsTrigger>
        </TabsList>
        <TabsContent value="preview" className="min-h-0 flex-1 overflow-y-auto">
          <ResultPreview result={result} table={table} />
        </TabsContent>
        <TabsContent value="table" className="flex min-h-0 flex-1 flex-col" tabIndex={-1}>
          <ResultTableView
            result={result}
            table={table}
            view={view}
            genesPerCall={genesPerCall}
            onSendGenes={onSendGenes}
            onEnrich={onEnrich}
          />
        </TabsContent>
        <TabsContent value="figure" className="min-h-0 flex-1 overflow-y-auto">
          <ShownFigure result={result} table={table} view={view} />
        </TabsContent>
      </Tabs>
    </>
  );
}

/** `Nov 22, 2026, 2:03 PM`, in the time of this device. */
function timeOf(ranAt: number): string {
  return new Date(ranAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
