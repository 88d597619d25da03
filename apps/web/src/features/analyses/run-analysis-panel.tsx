import { type DatasetAnalysis, maxKeptAnalyses } from '@cellfolio/contract';
import { useId, useEffect, useRef, useState } from 'react';
import { Ellipsis, X } from 'lucide-react';
import { CallFailureAlert } from '@/components/call-failure.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { imageAge } from '@/features/images/index.ts';
import { useNow } from '@/lib/use-time.ts';
import { formOf } from './analysis-module.ts';
import { keptSummary, type KeptAnalysis, keptName, maxNameLength } from './kept-analyses.ts';
import { useOfferedLists } from './list-field.tsx';
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
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-type`}>Analysis Type</Label>
        <Select value={type} onValueChange={runs.chooseType}>
          {/* A long name takes a second line rather than being cut. */}
          <SelectTrigger id={`${id}-type`} className="h-auto min-h-9 py-1.5 [&>span]:text-clip">
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
        keptNote="Your parameters, results and images are kept."
        onRetry={() => runs.retry(analysis)}
        onReload={onReload}
      />
      <ResultList runs={runs} />
    </form>
  );
}

function ResultList({ runs }: { runs: AnalysisRuns }) {
  const [renamed, setRenamed] = useState<string | null>(null);
  const failure = runs.reload && (
    <p role="alert" className="text-danger text-xs">
      The analyses of your account could not be read.{' '}
      <Button variant="link" size="inline" className="text-xs" onClick={runs.reload}>
        Try again
      </Button>
    </p>
  );
  if (runs.analyses.length === 0) return failure;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">Analyses of this dataset</h3>
      <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto p-0.5">
        {runs.analyses.map((analysis) => (
          <li key={analysis.id} className="flex items-center gap-1 rounded-md border pr-1">
            {renamed === analysis.id ? (
              <RenameField
                analysis={analysis}
                onRename={(name) => {
                  setRenamed(null);
                  if (name !== null) runs.rename(analysis.id, name);
                }}
              />
            ) : (
              <Entry runs={runs} analysis={analysis} onRename={() => setRenamed(analysis.id)} />
            )}
          </li>
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
  onRename: () => void;
}

function Entry({ runs, analysis, onRename }: EntryProps) {
  const now = useNow(60_000);
  const { icon: Icon, title } = analysis.module;
  const name = keptName(analysis);
  const summary = keptSummary(analysis);
  return (
    <>
      <button
        type="button"
        disabled={runs.running !== null}
        onClick={() => runs.show(analysis.id)}
        className="hover:bg-surface-2 flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left"
      >
        <Icon aria-hidden className="text-accent size-4 shrink-0" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-[13px] font-medium">
            <span className="sr-only">View results:</span> {name}
          </span>
          <span className="text-muted line-clamp-3 text-xs" title={summary}>
            {imageAge(analysis.ranAt, now)} · {name === title ? summary : `${title}: ${summary}`}
          </span>
          {runs.changesOf(analysis).map((change) => (
            <span key={change} className="text-warning block text-xs wrap-anywhere">
              {change}
            </span>
          ))}
        </span>
      </button>
      <div className="flex flex-col">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Remove ${name}, ${summary}`}
          onClick={() => runs.remove(analysis.id)}
        >
          <X aria-hidden />
        </Button>
        <EntryMenu runs={runs} analysis={analysis} onRename={onRename} />
      </div>
    </>
  );
}

function EntryMenu({ runs, analysis, onRename }: EntryProps) {
  const others = isOfGenes(analysis)
    ? runs.analyses.filter((other) => other.id !== analysis.id && isOfGenes(other))
    : [];
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`More for ${keptName(analysis)}, ${keptSummary(analysis)}`}
        >
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-w-80">
        {/* Its field takes the focus after the menu has given it back. */}
        <DropdownMenuItem onSelect={() => setTimeout(onRename)}>Rename</DropdownMenuItem>
        {others.length > 0 && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuLabel>Compare with…</DropdownMenuLabel>
            {others.map((other) => (
              <DropdownMenuItem
                key={other.id}
                disabled={runs.running !== null}
                onSelect={() => runs.compare([analysis.id, other.id])}
              >
                <span className="min-w-0">
                  <span className="block truncate">{keptName(other)}</span>
                  <span className="text-muted line-clamp-2 text-xs">{keptSummary(other)}</span>
                </span>
              </DropdownMenuItem>
            ))}
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Whether its rows are genes with fold changes, so that it can be compared with another one. */
function isOfGenes({ module }: KeptAnalysis): boolean {
  return module.columns.has('names') && module.columns.has('logfoldchanges');
}

interface RenameFieldProps {
  analysis: KeptAnalysis;
  /** `null` keeps the name. */
  onRename: (name: string | null) => void;
}

function RenameField({ analysis, onRename }: RenameFieldProps) {
  const [typed, setTyped] = useState(keptName(analysis));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Input
      ref={input}
      aria-label={`Name of ${keptName(analysis)}`}
      className="m-1 h-8 text-[13px]"
      maxLength={maxNameLength}
      value={typed}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => onRename(typed === analysis.module.title ? '' : typed)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onRename(null);
        if (event.key !== 'Enter') return;
        // It stands in the form that runs an analysis.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
