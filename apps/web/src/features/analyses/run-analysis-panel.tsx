import type { DatasetAnalysis } from '@cellfolio/contract';
import { useId } from 'react';
import { CallFailureAlert } from '@/components/call-failure.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { formOf } from './analysis-module.ts';
import { keptSummary } from './kept-analyses.ts';
import { ResultList } from './result-list.tsx';
import type { AnalysisRuns } from './use-analysis-runs.ts';

interface RunAnalysisPanelProps {
  analysis: DatasetAnalysis;
  runs: AnalysisRuns;
  busy?: boolean;
  /** Reopens the dataset on the server. @returns whether that worked */
  onReload: () => Promise<boolean>;
}

/**
 * Run Analysis: choose a type, fill in its parameters, run it, and return to its results. The results open in
 * `ResultsDialog`, which is rendered beside the panel so that it survives closing it.
 */
export function RunAnalysisPanel({ analysis, runs, busy = false, onReload }: RunAnalysisPanelProps) {
  const id = useId();
  const { type, chosen, running } = runs;
  const form = chosen && formOf(chosen, runs.forms, analysis);
  const incomplete = form !== undefined && !chosen!.form.isComplete(form, analysis);
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!incomplete && !busy && running === null) runs.run(analysis);
      }}
    >
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-type`}>Analysis Type</Label>
        <Select value={type} onValueChange={runs.chooseType}>
          <SelectTrigger id={`${id}-type`}>
            <SelectValue placeholder="Choose an analysis" />
          </SelectTrigger>
          <SelectContent>
            {runs.modules.map(({ title }) => (
              <SelectItem key={title} value={title}>
                {title}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </div>
      {chosen !== undefined && form !== undefined && (
        <chosen.form.Fields
          analysis={analysis}
          form={form}
          runs={runs.analyses.map((entry) => ({ ...entry, label: entry.name ?? keptSummary(entry) }))}
          onChange={(change) => runs.changeForm(chosen, change)}
        />
      )}
      <Button
        type="submit"
        className="w-full"
        // Keeps the focus while it works: the dialog of the result returns it there.
        disabled={(chosen === undefined || incomplete || busy) && running === null}
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
