import type { DatasetAnalysis } from '@cellfolio/contract';
import { X } from 'lucide-react';
import { useId } from 'react';
import { CallFailureAlert } from '@/components/call-failure.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { imageAge } from '@/features/images/index.ts';
import { useNow } from '@/lib/use-time.ts';
import { keptSummary, maxKept } from './kept-analyses.ts';
import type { AnalysisRuns } from './use-analysis-runs.ts';

interface RunAnalysisPanelProps {
  analysis: DatasetAnalysis;
  runs: AnalysisRuns;
  /** The active cells are changing, so nothing can run. */
  busy?: boolean;
  /** Reopens the dataset on the server. @returns whether that worked */
  onReload: () => Promise<boolean>;
}

/**
 * Run Analysis: choose a type, fill in its parameters, run it, and come back to its results. The results open in
 * `ResultsDialog`, which stands beside the panel: it must not go when the panel is closed.
 */
export function RunAnalysisPanel({ analysis, runs, busy = false, onReload }: RunAnalysisPanelProps) {
  const id = useId();
  const { type, chosen, running } = runs;
  // name-dictionary: by the id of a module of ours
  const form = chosen && runs.forms[chosen.id]!;
  const incomplete = form !== undefined && !chosen!.form.isComplete(form, analysis);
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!incomplete && !busy) runs.run(analysis);
      }}
    >
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-type`}>Analysis Type</Label>
        <Select value={type} onValueChange={runs.chooseType}>
          <SelectTrigger id={`${id}-type`}>
            <SelectValue placeholder="Choose an analysis" />
          </SelectTrigger>
          <SelectContent>
            {runs.titles.map((name) => (
              <SelectItem key={name} value={name}>
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </div>
      {chosen !== undefined && form !== undefined && (
        <chosen.form.Fields
          analysis={analysis}
          form={form}
          runs={runs.analyses}
          onChange={(change) => runs.changeForm(chosen, change)}
        />
      )}
      {type !== '' && chosen === undefined && (
        <p className="text-muted text-xs">{type} is coming soon: it can be started, but has no result yet.</p>
      )}
      <Button
        type="submit"
        className="w-full"
        disabled={type === '' || incomplete || busy || running !== null}
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
      <CallFailureAlert
        error={runs.error}
        kept="Your parameters, results and images are kept."
        onRetry={() => runs.retry(analysis)}
        onReload={onReload}
      />
      <ResultList runs={runs} />
    </form>
  );
}

/** The analyses of this dataset, newest first; a click opens one, whose result may have to be computed again. */
function ResultList({ runs }: { runs: AnalysisRuns }) {
  const now = useNow(60_000);
  if (runs.analyses.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">Analyses of this dataset</h3>
      <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto p-0.5">
        {runs.analyses.map((analysis) => {
          const { icon: Icon, title } = analysis.module;
          const summary = keptSummary(analysis);
          const changes = runs.changesOf(analysis);
          return (
            <li key={analysis.id} className="flex items-center gap-1 rounded-md border pr-1">
              <button
                type="button"
                disabled={runs.running !== null}
                aria-label={`View results: ${title}, ${summary}`}
                onClick={() => runs.show(analysis.id)}
                className="hover:bg-surface-2 flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left"
              >
                <Icon aria-hidden className="text-accent size-4 shrink-0" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-[13px] font-medium">{title}</span>
                  <span className="text-muted line-clamp-3 text-xs" title={summary}>
                    {imageAge(analysis.ranAt, now)} · {summary}
                  </span>
                  {changes.map((change) => (
                    <span key={change} className="text-warning block text-xs wrap-anywhere">
                      {change}
                    </span>
                  ))}
                </span>
              </button>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Remove ${title}, ${summary}`}
                onClick={() => runs.remove(analysis.id)}
              >
                <X aria-hidden />
              </Button>
            </li>
          );
        })}
      </ul>
      <p className="text-muted text-xs">
        {runs.unkept.length > 0
          ? 'This browser could not keep all of them: download what you need before you leave.'
          : `The newest ${maxKept} are kept in this browser. A result that is not here any more is computed again when it is opened.`}
      </p>
    </div>
  );
}
