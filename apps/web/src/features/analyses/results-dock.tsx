import type { FigureSource } from '@cellfolio/contract';
import { CircleAlert, Eye, GitCompareArrows, Undo2, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Activity, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { percentOf } from '@/lib/progress.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { CompareWithButton } from './compare-with.tsx';
import { ComparedView } from './compared-view.tsx';
import { type GenesOnMap, GenesOnMapContext } from './draw-genes.tsx';
import { keptName, keptSummary } from './kept-analyses.ts';
import { ResultView, type SelectedCells } from './result-view.tsx';
import type { AnalysisRuns, ResultTab } from './use-analysis-runs.ts';

interface ResultsDockProps {
  runs: AnalysisRuns;
  genesPerCall: number;
  map: GenesOnMap;
  /** The cells selected on the map; `null` without any. */
  selection: SelectedCells | null;
  onShow: (source: FigureSource, result: AnalysisResult) => void;
  /** Called when the user leaves the result for a form or the map. */
  onLeave?: () => void;
  /** Controls of the dock itself. */
  tools?: ReactNode;
}

/** The open results as tabs. Tabs that were shown keep their state; what they draw on the map is shown with them alone. */
export function ResultsDock(props: ResultsDockProps) {
  const { runs, map, tools } = props;
  const { tabs, activeTab } = runs;
  const list = useRef<HTMLDivElement>(null);
  // The focus goes to the tab that is shown then, or to the page when the dock goes.
  const close = (id: string) => {
    runs.closeTab(id);
    if (tabs.length === 1)
      return document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[role=tab][data-state=active]')?.focus(),
    );
  };
  if (activeTab === undefined) return null;
  return (
    <GenesOnMapContext value={map}>
      <section
        aria-label="Results"
        className="bg-surface shadow-card flex size-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border [container:dock/size]"
      >
        <Tabs.Root
          value={activeTab.id}
          onValueChange={runs.openTab}
          // A tab that is gone to with the arrow keys may have to be computed.
          activationMode="manual"
          className="flex min-h-0 flex-1 flex-col"
        >
          <div className="bg-surface-2 flex shrink-0 items-center gap-1 border-b px-1 py-1">
            <Tabs.List
              ref={list}
              aria-label="Open results"
              className="flex min-w-0 flex-1 gap-1 overflow-x-auto p-0.5"
            >
              {tabs.map((tab) => (
                <TabHandle
                  key={tab.id}
                  tab={tab}
                  isActive={tab.id === activeTab.id}
                  isPending={isPending(tab, runs)}
                  onClose={() => close(tab.id)}
                />
              ))}
            </Tabs.List>
            {tools}
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Close ${tabName(activeTab)}`}
              title="Close this result"
              onClick={() => close(activeTab.id)}
            >
              <X aria-hidden />
            </Button>
          </div>
          <GeneOnMapBar {...map} />
          {tabs.map((tab) => (
            <Tabs.Content
              key={tab.id}
              value={tab.id}
              forceMount
              tabIndex={-1}
              hidden={tab.id !== activeTab.id}
              className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-3 outline-none"
            >
              <Activity mode={tab.id === activeTab.id ? 'visible' : 'hidden'}>
                <ErrorBoundary region="The result">
                  <TabView {...props} tab={tab} />
                </ErrorBoundary>
              </Activity>
            </Tabs.Content>
          ))}
        </Tabs.Root>
      </section>
    </GenesOnMapContext>
  );
}

function GeneOnMapBar({ gene, show, draw }: GenesOnMap) {
  if (gene === null) return null;
  return (
    <div
      role="group"
      aria-label="Gene on the map"
      className="bg-accent-soft text-accent-soft-foreground flex shrink-0 flex-wrap items-center gap-x-2 px-3 py-0.5 text-xs"
    >
      <p role="status" className="min-w-0 flex-1 truncate">
        On the map: <span className="font-medium italic">{gene}</span>
      </p>
      <Button variant="ghost" size="xs" onClick={() => draw([gene])}>
        <Eye aria-hidden />
        Visualize
      </Button>
      <Button variant="ghost" size="xs" onClick={() => show(null)}>
        <Undo2 aria-hidden />
        Restore the map
      </Button>
    </div>
  );
}

export function tabName({ analyses }: Pick<ResultTab, 'analyses'>): string {
  const [first] = analyses;
  return analyses.length > 1 || first === undefined ? 'Compare Results' : keptName(first);
}

function tabTitle({ analyses }: ResultTab): string {
  return analyses
    .map((analysis) => (analyses.length > 1 ? `${keptName(analysis)}: ` : '') + keptSummary(analysis))
    .join('\n');
}

function isPending({ shown, failure }: ResultTab, { running }: AnalysisRuns): boolean {
  return shown === undefined && failure === undefined && running !== null;
}

interface TabHandleProps {
  tab: ResultTab;
  isActive: boolean;
  isPending: boolean;
  onClose: () => void;
}

function TabHandle({ tab, isActive, isPending: pending, onClose }: TabHandleProps) {
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) handle.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  const Icon = tab.analyses.length > 1 ? GitCompareArrows : tab.analyses[0]!.module.icon;
  return (
    <div
      ref={handle}
      role="presentation"
      className={cn(
        'flex h-7 max-w-56 min-w-0 shrink-0 items-center rounded border pr-0.5',
        isActive ? 'bg-surface border-border' : 'hover:bg-surface-3 border-transparent',
      )}
    >
      <Tabs.Trigger
        value={tab.id}
        title={tabTitle(tab)}
        aria-keyshortcuts="Delete"
        className="text-muted data-[state=active]:text-foreground flex h-full min-w-0 items-center gap-1.5 rounded pl-2 text-[13px] font-medium"
        onKeyDown={(event: KeyboardEvent) => event.key === 'Delete' && onClose()}
      >
        {pending ? (
          <Spinner className="size-3.5 shrink-0" />
        ) : tab.failure instanceof Error ? (
          <CircleAlert aria-hidden className="text-danger size-3.5 shrink-0" />
        ) : (
          <Icon aria-hidden className="text-accent size-3.5 shrink-0" />
        )}
        <span className="truncate">{tabName(tab)}</span>
      </Tabs.Trigger>
      {/* For the pointer: a list of tabs holds no other controls. Its key is Delete, its button stands beside the list. */}
      <button
        type="button"
        aria-hidden
        tabIndex={-1}
        title={`Close ${tabName(tab)}`}
        className="text-muted hover:bg-surface-3 flex size-6 shrink-0 items-center justify-center rounded"
        onClick={onClose}
      >
        <X className="size-3.5" />
      </button>
    </div>
  );
}

function TabView({
  runs,
  genesPerCall,
  map,
  onShow,
  onLeave,
  selection,
  tab,
}: ResultsDockProps & { tab: ResultTab }) {
  const left =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      onLeave?.();
      act(...args);
    };
  const [first, second] = tab.shown ?? [];
  if (first === undefined) return <MissingResult runs={runs} tab={tab} />;
  const common = { genesPerCall, onSendGenes: left(map.draw) };
  if (second !== undefined) {
    const { joinedTables } = runs;
    return <ComparedView tab={tab.id} {...{ joinedTables }} compared={[first, second]} {...common} />;
  }
  const { result, analysis } = first;
  return (
    <ResultView
      result={result}
      name={keptName(analysis)}
      ranAt={analysis.ranAt}
      changes={runs.changesOf(analysis)}
      isBusy={runs.running !== null}
      selection={
        selection && {
          ...selection,
          onRun: () => runs.runOn(analysis, selection.group(), selection.cells),
          onCompare: left(selection.onCompare),
        }
      }
      {...common}
      onEnrich={left(runs.enrich)}
      onShow={left((source: FigureSource) => onShow(source, result))}
      onRun={(request) => runs.runInstead(analysis, request)}
      onFollow={left(runs.follow)}
      tools={<CompareWithButton runs={runs} analysis={analysis} />}
    />
  );
}

function MissingResult({ runs, tab }: { runs: AnalysisRuns; tab: ResultTab }) {
  const { running } = runs;
  if (tab.failure !== undefined) {
    const stopped = tab.failure === 'stopped';
    return (
      <Alert variant={stopped ? 'neutral' : 'danger'} role={stopped ? 'status' : 'alert'}>
        <span className="min-w-0 flex-1 wrap-anywhere">
          {tab.failure === 'stopped'
            ? 'The computation was stopped.'
            : `The result could not be computed. ${reasonOf(tab.failure)}`}
        </span>
        <Button variant="secondary" size="xs" onClick={() => runs.retryTab(tab.id)}>
          {stopped ? 'Compute' : 'Try again'}
        </Button>
      </Alert>
    );
  }
  const isOfTab = running !== null && tab.analyses.some(({ id }) => id === running.again);
  const percent = percentOf(running?.progress ?? null);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 p-4 text-center text-[13px]">
      <p role="status" className="flex items-center gap-2 wrap-anywhere">
        <Spinner className="text-accent" />
        {running === null || isOfTab
          ? `Computing ${tabName(tab)} again...`
          : 'Computed when the running analysis has finished...'}
      </p>
      {isOfTab && (
        <>
          {percent !== null && (
            <Progress value={percent} aria-label={`Progress of ${tabName(tab)}`} className="w-60" />
          )}
          <Button variant="secondary" size="sm" onClick={running.onCancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}
