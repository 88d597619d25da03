import type { NextQuestion } from '@cellfolio/analyses';
import type { FigureSource } from '@cellfolio/contract';
import { ChevronDown, GitCompareArrows, Info, Lasso, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useMemo } from 'react';
import { FirstNotes } from '@/components/first-notes.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { CellGroup } from '@/features/subsets/index.ts';
import { cn } from '@/lib/cn.ts';
import { plural } from '@/lib/format.ts';
import { readFlag, useDraft } from '@/lib/use-draft.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { isOfDifferences, readResult } from './analysis-module.ts';
import { ResultDownloads } from './result-downloads.tsx';
import { ResultFacts } from './result-facts.tsx';
import { cutOffWords, isCutOff, useCalledGroups } from './result-rows.ts';
import { ResultTabs } from './result-tabs.tsx';
import { type TableView, useTableView } from './use-table-view.ts';

/** The cells selected on the map, about which an open result can be asked. */
export interface SelectedCells {
  cells: number;
  /** The cells as a subset that is not saved. */
  group: () => CellGroup;
  /** Prepares a comparison with the rest of the cells. */
  onCompare: () => void;
}

interface ResultViewProps {
  result: AnalysisResult;
  name: string;
  /** Time of the run, in milliseconds since the epoch. */
  ranAt: number;
  changes: readonly string[];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
  onShow: (source: FigureSource) => void;
  onRun: (request: object) => void;
  /** Whether an analysis is running, so that no other can start. */
  isBusy: boolean;
  selection: (Omit<SelectedCells, 'group'> & { onRun: () => void }) | null;
  onFollow: (next: NextQuestion) => void;
  /** Shown beside the downloads. */
  tools?: ReactNode;
}

export function ResultView(props: ResultViewProps) {
  const { result, onRun, onFollow } = props;
  const read = useMemo(() => readResult(result), [result]);
  const { plots, Facts } = result.module;
  const called = useCalledGroups(result);
  const view = useTableView(result.table, { directions: read.directions, plots, called });
  const { nothing } = read;
  return (
    <div className="low-dock:min-h-0 low-dock:flex-row low-dock:gap-4 flex flex-1 flex-col gap-2">
      <div className="low-dock:w-56 low-dock:min-h-0 low-dock:overflow-y-auto @min-[60rem]/dock:low-dock:w-96 flex shrink-0 flex-col gap-2">
        <ResultHead {...props} view={view} />
        <SelectionQuestions {...props} />
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
      </div>
      <ResultTabs {...props} view={view} called={called} />
    </div>
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

function ResultHead({ result, name, ranAt, changes, view, tools }: ResultViewProps & { view: TableView }) {
  const { title } = result.module;
  const { nothing, summary } = readResult(result);
  return (
    <>
      <div className="flex shrink-0 flex-col">
        <div className="flex flex-wrap items-start gap-x-2">
          <h2 className="min-w-32 flex-1 text-[15px] leading-7 font-semibold wrap-anywhere">{name}</h2>
          {tools}
          <ResultDownloads result={result} view={view} />
        </div>
        <p className="text-muted text-xs wrap-anywhere">
          {nothing === null && !result.again && (
            <>
              <span className="text-success font-medium">{title} Complete</span>
              {' · '}
            </>
          )}
          {summary(result.subsetName === 'Global' ? 'all cells' : result.subsetName)}
          {result.again && `. Run on ${timeOf(ranAt)}, recomputed now`}
        </p>
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

/** A button whose words take a second line in a narrow dock. */
const wrapping = 'h-auto min-h-7 max-w-full py-1 text-left whitespace-normal';

function SelectionQuestions({ result, selection, isBusy }: ResultViewProps) {
  if (selection === null) return null;
  return (
    <div role="group" aria-label="Selected cells" className="flex shrink-0 flex-wrap gap-2">
      <Button variant="secondary" size="xs" className={wrapping} disabled={isBusy} onClick={selection.onRun}>
        <Lasso aria-hidden />
        {`Run for the ${plural(selection.cells, 'selected cell')}`}
      </Button>
      {isOfDifferences(result.module) && (
        <Button variant="secondary" size="xs" className={wrapping} onClick={selection.onCompare}>
          <GitCompareArrows aria-hidden />
          Compare selection with the rest
        </Button>
      )}
    </div>
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
    // One row above the figure, which scrolls; in a low dock there is room for several, beside it.
    <div
      role="group"
      aria-label="Next steps"
      className="low-dock:flex-wrap -m-1 flex shrink-0 gap-2 overflow-x-auto p-1"
    >
      {next.map((one) => (
        <Button
          key={one.label}
          variant="secondary"
          size="xs"
          className={cn(wrapping, 'low-dock:shrink low-dock:whitespace-normal shrink-0 whitespace-nowrap')}
          title={one.title}
          disabled={one.isDisabled === true}
          onClick={() => onFollow(one)}
        >
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

/** Warnings, the gravest first: two are shown, the others on request. Folded ones stay folded for their result. */
export function ResultNotes({ result }: { result: AnalysisResult }) {
  const notes = [...new Set(readResult(result).cautions)];
  const [isFolded, setFolded] = useDraft(`folded-cautions:${result.id}`, false, readFlag);
  const id = useId();
  if (notes.length === 0) return null;
  return (
    <Alert
      variant="warning"
      role="note"
      aria-label="Cautions"
      className="text-foreground shrink-0 flex-col items-stretch gap-0 py-1"
    >
      <button
        type="button"
        aria-expanded={!isFolded}
        aria-controls={id}
        className="flex min-h-6 items-center gap-2 text-left text-xs font-medium"
        onClick={() => setFolded(!isFolded)}
      >
        <TriangleAlert aria-hidden className="text-warning size-4 shrink-0" />
        <span className="flex-1">{plural(notes.length, 'caution')}</span>
        <ChevronDown aria-hidden className={cn('size-4 shrink-0', !isFolded && 'rotate-180')} />
      </button>
      <div id={id} hidden={isFolded}>
        <FirstNotes notes={notes} className="text-xs leading-4.5" />
      </div>
    </Alert>
  );
}
