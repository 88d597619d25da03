import type { NextQuestion } from '@cellfolio/analyses';
import type { FigureSource } from '@cellfolio/contract';
import { FlaskConical, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { FirstNotes } from '@/components/first-notes.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { ResultFacts } from './result-facts.tsx';
import { ResultDownloads } from './result-downloads.tsx';
import { cutOffWords, isCutOff, useCalledGroups } from './result-rows.ts';
import { ResultTabs } from './result-tabs.tsx';
import type { AnalysisRuns } from './use-analysis-runs.ts';
import { type TableView, useTableView } from './use-table-view.ts';

interface ResultsDialogProps {
  runs: AnalysisRuns;
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onShow: (source: FigureSource, result: AnalysisResult) => void;
}

export function ResultsDialog({ runs, genesPerCall, onSendGenes, onShow }: ResultsDialogProps) {
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
              onShow={(source) => {
                runs.show(null);
                onShow(source, open.result);
              }}
              onRun={(request) => runs.runInstead(open.analysis, request)}
              onFollow={runs.follow}
            />
          </ErrorBoundary>
        </DialogContent>
      )}
    </Dialog>
  );
}

interface ResultViewProps {
  result: AnalysisResult;
  /** Time of the run, in milliseconds since the epoch. */
  ranAt: number;
  changes: readonly string[];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
  onShow: (source: FigureSource) => void;
  onRun: (request: object) => void;
  onFollow: (next: NextQuestion) => void;
}

function ResultView(props: ResultViewProps) {
  const { result, onRun, onFollow } = props;
  const read = useMemo(() => readResult(result), [result]);
  const { plots, Facts } = result.module;
  const called = useCalledGroups(result);
  const view = useTableView(result.table, { directions: read.directions, plots, called });
  const { nothing } = read;
  return (
    <>
      <ResultHead {...props} view={view} />
      {Facts !== undefined ? (
        <Facts answer={result.answer} onRun={onRun} />
      ) : (
        <ResultFacts line="Tests and facts" facts={result.answer.facts} />
      )}
      {nothing !== null && result.table.rowCount > 0 && (
        <ResultStatus>
          <span className="font-medium">{nothing.title}.</span> {nothing.text}
        </ResultStatus>
      )}
      {isCutOff(result) && <ResultStatus>{cutOffWords(result)}</ResultStatus>}
      <FollowUps result={result} group={view.group} onFollow={onFollow} />
      <ResultNotes result={result} />
      <ResultTabs {...props} view={view} called={called} />
    </>
  );
}

function ResultStatus({ children }: { children: ReactNode }) {
  return (
    <Alert role="status" className="shrink-0">
      <Info aria-hidden />
      <p className="min-w-0 flex-1 wrap-anywhere">{children}</p>
    </Alert>
  );
}

function ResultHead({ result, ranAt, changes, view }: ResultViewProps & { view: TableView }) {
  const { title } = result.module;
  const { nothing, summary } = readResult(result);
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
            {result.again && `. Run on ${timeOf(ranAt)}, recomputed now`}
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
    </>
  );
}

interface FollowUpsProps {
  result: AnalysisResult;
  group: string;
  onFollow: (next: NextQuestion) => void;
}

function FollowUps({ result: { module, answer, table }, group, onFollow }: FollowUpsProps) {
  const next = useMemo(
    () => module.followUps?.({ answer, table, group }) ?? [],
    [module, answer, table, group],
  );
  if (next.length === 0) return null;
  return (
    <div role="group" aria-label="Next steps" className="flex shrink-0 flex-wrap gap-2">
      {next.map((one) => (
        <Button
          key={one.label}
          variant="secondary"
          size="xs"
          title={one.title}
          disabled={one.isDisabled === true}
          onClick={() => onFollow(one)}
        >
          <FlaskConical aria-hidden />
          {one.label}
        </Button>
      ))}
    </div>
  );
}

/** `Nov 22, 2026, 2:03 PM`, in local time. */
function timeOf(ranAt: number): string {
  return new Date(ranAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Warnings, the gravest first: two are shown, the others on request. */
export function ResultNotes({ result }: { result: AnalysisResult }) {
  const notes = [...new Set(readResult(result).cautions)];
  if (notes.length === 0) return null;
  return (
    <Alert variant="warning" role="note" aria-label="Cautions" className="text-foreground shrink-0">
      <TriangleAlert aria-hidden className="text-warning" />
      <FirstNotes notes={notes} className="-m-1 max-h-[38dvh] flex-1 overflow-y-auto p-1" />
    </Alert>
  );
}
