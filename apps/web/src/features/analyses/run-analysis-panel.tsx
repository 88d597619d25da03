import { type DatasetAnalysis, maxKeptAnalyses } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { CallFailureAlert } from '@/components/call-failure.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { DropdownMenuSeparator } from '@/components/ui/dropdown-menu.tsx';
import { DocumentRow, ListFailure } from '@/features/documents/index.ts';
import { imageAge } from '@/features/images/index.ts';
import { useNow } from '@/lib/use-time.ts';
import { AnalysisList, ChosenAnalysis } from './analysis-list.tsx';
import { formOf } from './analysis-module.ts';
import { CompareItems, comparableWith } from './compare-with.tsx';
import { keptSummary, type KeptAnalysis, keptName } from './kept-analyses.ts';
import { useOfferedLists } from './list-field.tsx';
import type { AnalysisRuns } from './use-analysis-runs.ts';

interface RunAnalysisPanelProps {
  analysis: DatasetAnalysis;
  runs: AnalysisRuns;
  busy?: boolean;
  /** Reopens the dataset on the server. @returns whether that worked */
  onReload: () => Promise<boolean>;
  /** Shown above the list of analyses while there are no results. */
  children?: ReactNode;
}

/**
 * Run Analysis: choose a type, fill in its parameters, run it, and return to its results. The results open in
 * `ResultsDock`, which is rendered beside the panel so that it survives closing it.
 */
export function RunAnalysisPanel({
  analysis,
  runs,
  busy = false,
  onReload,
  children,
}: RunAnalysisPanelProps) {
  const { chosen, running } = runs;
  const form = chosen && formOf(chosen, runs.forms);
  const lists = useOfferedLists(chosen?.form.lists, analysis);
  const incomplete = form !== undefined && !chosen!.form.isComplete(form, analysis, lists.data);
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!incomplete && !busy && running === null) runs.run(analysis);
      }}
    >
      {chosen === undefined && runs.analyses.length === 0 && !runs.list.isLoading && children}
      {chosen === undefined ? (
        <AnalysisList
          modules={runs.modules}
          lastUsed={runs.analyses.map(({ module }) => module)}
          analysis={analysis}
          onChoose={({ title }) => runs.chooseType(title)}
        />
      ) : (
        <ChosenAnalysis key={chosen.title} module={chosen} onLeave={() => runs.chooseType('')} />
      )}
      {chosen !== undefined && form !== undefined && (
        <chosen.form.Fields
          analysis={analysis}
          form={form}
          runs={runs.analyses.map((entry) => ({ ...entry, label: distinctName(entry) }))}
          onChange={(change) => runs.changeForm(chosen, change)}
        />
      )}
      {chosen !== undefined && (
        <div className="bg-surface sticky -bottom-3 z-10 -mx-3 border-t px-3 py-2">
          <Button
            type="submit"
            className="w-full"
            // Keeps the focus while it works.
            disabled={(incomplete || busy) && running === null}
            aria-disabled={running !== null}
          >
            {running === null ? (
              'Run Analysis'
            ) : (
              <>
                <Spinner />
                Running...
              </>
            )}
          </Button>
        </div>
      )}
      <CallFailureAlert
        error={runs.error}
        keptNote="Your parameters, results and images are kept."
        onRetry={() => runs.run(analysis)}
        onReload={onReload}
      />
      <ResultList runs={runs} />
    </form>
  );
}

/** The user's name, else the summary: titles and their numbers do not tell runs apart. */
function distinctName(entry: KeptAnalysis): string {
  const name = keptName(entry);
  return name.startsWith(entry.module.title) ? keptSummary(entry) : name;
}

function ResultList({ runs }: { runs: AnalysisRuns }) {
  const { list, analyses } = runs;
  const failure = list.isError && (
    <ListFailure noun="analyses of your account" error={list.error} onRetry={() => void list.refetch()} />
  );
  if (analyses.length === 0) return failure;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">Analyses of this dataset</h3>
      <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto p-0.5">
        {analyses.map((analysis) => (
          <Entry key={analysis.id} runs={runs} analysis={analysis} />
        ))}
      </ul>
      {failure}
      <p className="text-muted text-xs">
        {runs.unkept.length > 0
          ? 'Some could not be saved: download what you need before you leave.'
          : `The newest ${maxKeptAnalyses} are kept ${runs.place}. Older results are recomputed when opened.`}
      </p>
    </div>
  );
}

interface EntryProps {
  runs: AnalysisRuns;
  analysis: KeptAnalysis;
}

function Entry({ runs, analysis }: EntryProps) {
  const now = useNow(60_000);
  const { icon: Icon, title } = analysis.module;
  const name = keptName(analysis);
  const summary = keptSummary(analysis);
  return (
    <DocumentRow
      name={name}
      about={summary}
      className="rounded-md border pr-1"
      open={{ disabled: runs.running !== null, onOpen: () => runs.show(analysis.id) }}
      content={
        <>
          <Icon aria-hidden className="text-accent size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">
              <span className="sr-only">View results:</span> {name}
            </span>
            <span className="text-muted line-clamp-3 text-xs" title={summary}>
              {imageAge(analysis.ranAt, now)} · {name.startsWith(title) ? summary : `${title}: ${summary}`}
            </span>
            {runs.changesOf(analysis).map((change) => (
              <span key={change} className="text-warning block text-xs wrap-anywhere">
                {change}
              </span>
            ))}
          </span>
        </>
      }
      items={
        comparableWith(runs, analysis).length > 0 && (
          <>
            <DropdownMenuSeparator />
            <CompareItems runs={runs} analysis={analysis} />
            <DropdownMenuSeparator />
          </>
        )
      }
      rename={{
        label: 'Name of the analysis',
        otherwise: title,
        onRename: (next) => runs.rename(analysis.id, next),
      }}
      remove={{
        note: 'It is removed from the list with its result. Images drawn from it are kept.',
        onRemove: () => runs.remove(analysis.id),
      }}
    />
  );
}
