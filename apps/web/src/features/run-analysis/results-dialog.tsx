import { useMemo } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { formatCount } from '@/lib/counted.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { resultSummary, resultTitle, withoutFacts } from './analysis-result.ts';
import { EnrichmentFacts } from './enrichment-facts.tsx';
import { ResultDownloads } from './result-downloads.tsx';
import { ResultFigure } from './result-figure.tsx';
import { resultTable } from './result-columns.ts';
import { ResultNotes } from './result-notes.tsx';
import { ResultPreview } from './result-preview.tsx';
import { ResultTableView } from './result-table-view.tsx';
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
  const result = runs.open;
  return (
    <Dialog open={result !== null} onOpenChange={(open) => !open && runs.show(null)}>
      {result !== null && (
        <DialogContent className="h-[calc(100dvh-2rem)] max-w-[min(calc(100vw-2rem),84rem)] gap-3 p-5">
          <ErrorBoundary region="The result">
            <ResultView
              key={result.id}
              result={result}
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
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
}

function ResultView({ result, genesPerCall, onSendGenes, onEnrich }: ResultViewProps) {
  const table = useMemo(() => resultTable(result), [result]);
  const figureName = result.kind === 'marker' ? 'Dot Plot' : 'Bar Plot';
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 pr-10">
        <div className="min-w-0 flex-1">
          <DialogTitle>{resultTitle(result)}</DialogTitle>
          <DialogDescription className="text-[13px] wrap-anywhere">{resultSummary(result)}</DialogDescription>
        </div>
        <ResultDownloads result={result} />
      </div>
      {result.kind === 'pathway' && <EnrichmentFacts answer={result.answer} />}
      <ResultNotes result={withoutFacts(result)} />
      <Tabs defaultValue="preview" className="flex min-h-0 flex-1 flex-col gap-3">
        <TabsList className="self-start">
          <TabsTrigger value="preview">Preview</TabsTrigger>
          <TabsTrigger value="table">Full Table ({formatCount(table.rowCount)})</TabsTrigger>
          <TabsTrigger value="figure">{figureName}</TabsTrigger>
        </TabsList>
        <TabsContent value="preview" className="min-h-0 flex-1 overflow-y-auto">
          <ResultPreview result={result} table={table} />
        </TabsContent>
        <TabsContent value="table" className="flex min-h-0 flex-1 flex-col" tabIndex={-1}>
          <ResultTableView
            result={result}
            table={table}
            genesPerCall={genesPerCall}
            onSendGenes={onSendGenes}
            onEnrich={onEnrich}
          />
        </TabsContent>
        <TabsContent value="figure" className="min-h-0 flex-1 overflow-y-auto">
          <ResultFigure result={result} />
        </TabsContent>
      </Tabs>
    </>
  );
}
