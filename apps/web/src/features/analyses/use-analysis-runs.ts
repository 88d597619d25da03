import type { ProgressEvent } from '@cellfolio/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { withFinishNotice } from '@/features/uploads/index.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import { type HeldTable, readAnswerTable } from '@/features/tables/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiContractBroken } from '@/lib/api-errors.ts';
import { withFailureText } from '@/lib/call-failure.ts';
import { randomId } from '@/lib/session-id.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type {
  AnalysisChoice,
  AnalysisForm,
  AnalysisForms,
  AnalysisModule,
  AnalysisResult,
  AnyAnswer,
} from './analysis-module.ts';
import { readForms } from './analysis-module.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince, useKeptAnalyses } from './kept-analyses.ts';

/** Names the notice that an analysis began. */
const startedNotice = 'analysis-started';
/** Results that stay while the page is open; a table of thirty thousand rows is a few megabytes. */
const maxResults = 10;

export interface AnalysisRunsOptions {
  /** The entries, in this order; a stable array. */
  choices: readonly AnalysisChoice[];
  /** Names the user and the dataset: under this the forms and the analyses are remembered. */
  draftKey: string;
  datasetName: string;
  /** The name of the dataset as the page shows it. */
  title: string;
  /** Of the dataset, as it is open. */
  version: string;
  /** The active subset; `null` for the whole dataset. */
  group: CellGroup | null;
  /** The active cells; `null` where they are not known. */
  cells: number | null;
  /** As they are saved now; `undefined` while that is not known. */
  subsets: readonly CellGroup[] | undefined;
}

/** What the overlay over the figures shows while an analysis runs. */
interface RunningAnalysis {
  title: string;
  text: string;
  /** Progress; `null` if unknown. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** Its end is announced in a notification. */
  notifies: true;
  /** Cancels the call and the work on the server. */
  onCancel: () => void;
}

export interface AnalysisRuns {
  /** Of all that can be chosen. */
  titles: readonly string[];
  /** One of them, or ''. */
  type: string;
  chooseType: (type: string) => void;
  /** The analysis of that title; absent where it is only announced. */
  chosen: AnalysisModule | undefined;
  forms: AnalysisForms;
  changeForm: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  run: () => void;
  running: RunningAnalysis | null;
  error: Error | null;
  /** Tries again what failed: a run of the form, or an analysis of the list. */
  retry: () => void;
  /** The analyses of this dataset, of this visit and those before, newest first. */
  analyses: readonly KeptAnalysis[];
  /** Of these, the ones whose results are lost with the page. */
  unkept: readonly KeptAnalysis[];
  /** The result that is open, and what it was run with. */
  open: { result: AnalysisResult; analysis: KeptAnalysis } | null;
  /** Changes since an analysis was run, one sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list; a result no longer in memory is computed again. */
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Grows when the panel has something to show that it was not opened for. */
  revealed: number;
  /** Changes the form of an analysis and turns to it. */
  prepare: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  /** Puts genes into the enrichment form and turns to it. */
  enrich: (genes: readonly string[]) => void;
}

/** The analyses of one explorer: their forms, the one that runs, and those that were run. */
export function useAnalysisRuns(options: AnalysisRunsOptions): AnalysisRuns {
  const { draftKey, choices, version } = options;
  const modules = useMemo(() => choices.filter((choice) => typeof choice !== 'string'), [choices]);
  const titles = choices.map((choice) => (typeof choice === 'string' ? choice : choice.title));
  const [type, setType] = useDraft<string>(`${draftKey}:analysis-type`, '', (value) =>
    titles.find((title) => title === value),
  );
  const chosen = modules.find(({ title }) => title === type);
  const [forms, setForms] = useDraft(`${draftKey}:analysis-forms`, readForms(modules, {})!, (value) =>
    readForms(modules, value),
  );
  const changeForm = ({ id }: AnalysisModule, change: Partial<AnalysisForm>) =>
    // name-dictionary: by the id of a module of ours
    setForms((current) => ({ ...current, [id]: { ...current[id], ...change } as AnalysisForm }));
  const kept = useKeptAnalyses(draftKey, modules);
  const [revealed, setRevealed] = useState(0);
  const runs = useRuns(options, kept.keep);

  const run = () => {
    if (runs.pending || type === '') return;
    if (chosen === undefined) {
      toast.info('Analysis Started', { description: `${type} is coming soon: no result follows yet.` });
      return;
    }
    const { group, cells } = options;
    const subset = group && { id: group.id, name: group.name, filter: group.filter };
    // name-dictionary: by the id of a module of ours
    const request = chosen.form.requestOf(forms[chosen.id]!);
    if (chosen.startedText) {
      toast.info('Analysis Started', { id: startedNotice, description: chosen.startedText(request) });
    }
    runs.perform({ id: randomId(), ranAt: Date.now(), version, subset, cells, module: chosen, request });
  };
  const { reopened, asked } = runs;
  // A failure is shown with the form that it is of.
  const error = asked?.module === (reopened === null ? chosen : reopened.module) ? runs.error : null;
  const prepare = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    changeForm(module, change);
    setType(module.title);
    runs.open(null);
    setRevealed((times) => times + 1);
    if (!runs.pending && asked?.module === module) runs.reset();
  };
  const openAnalysis = kept.analyses.find(({ id }) => id === runs.openResult?.id);

  return {
    titles,
    type,
    chooseType: setType,
    chosen,
    forms,
    changeForm,
    run,
    running: runs.running,
    error: isCancelled(error) ? null : error,
    retry: () => (reopened === null ? run() : runs.again(reopened)),
    analyses: kept.analyses,
    unkept: kept.unkept,
    open: runs.openResult && openAnalysis ? { result: runs.openResult, analysis: openAnalysis } : null,
    changesOf: (analysis) => changesSince(analysis, options),
    show: (id) => {
      const analysis = kept.analyses.find((other) => other.id === id);
      if (id === null || runs.has(id)) runs.open(id);
      else if (analysis !== undefined) runs.again(analysis);
    },
    revealed,
    prepare,
    remove: (id) => {
      kept.remove(id);
      runs.forget(id);
    },
    enrich: (genes) => {
      const module = modules.find(({ form }) => form.withGenes !== undefined);
      if (module?.form.withGenes !== undefined) prepare(module, module.form.withGenes(genes));
    },
  };
}

/** Runs one analysis at a time, and holds the results of this visit. */
function useRuns(
  { title, datasetName, version }: AnalysisRunsOptions,
  onDone: (analysis: KeptAnalysis) => void,
) {
  const { api } = useServices();
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  useClosedTables(results);
  const [openId, setOpenId] = useState<string | null>(null);
  /** The analysis of the list that is computed again. */
  const [reopened, setReopened] = useState<KeptAnalysis | null>(null);
  const call = useCancellableCall(({ module, request }: Pick<KeptAnalysis, 'module' | 'request'>, handle) => {
    const answer = withFailureText(`Failed to run ${module.name}`, handle.signal, async () => {
      const file = await api({
        path: module.path,
        body: request,
        expects: 'file',
        answer: anyFile,
        ...handle,
      });
      return readAnswer(module, file);
    });
    return withFinishNotice({ what: module.noticeName, text: title }, answer);
  });

  const perform = (analysis: KeptAnalysis, again = false) => {
    setReopened(again ? analysis : null);
    const { id, module, request, subset } = analysis;
    const take = ({ answer, table }: Awaited<ReturnType<typeof readAnswer>>) => {
      const origin = { id, datasetName, version, createdAt: Date.now(), again };
      const result = { ...origin, module, answer, table, subsetName: subset?.name ?? 'Global' };
      setResults((current) => [result, ...current.filter((other) => other.id !== id)].slice(0, maxResults));
      setOpenId(id);
      setReopened(null);
      // No notice: it would cover the dialog that opens and says the same, as would the one of its beginning.
      toast.dismiss(startedNotice);
      if (!again) onDone(analysis);
    };
    // The cells of then, whatever is active now.
    const cells = again ? { cells: subset === null ? {} : { subset: subset.filter } } : {};
    call.mutate(
      { module, request: { ...request, ...cells } },
      {
        onSuccess: take,
        onError: (error) => {
          if (isCancelled(error)) return;
          const description = `Failed to run ${module.name}. Please try again.`;
          toast.error('Analysis Failed', { description });
        },
      },
    );
  };
  const asked = call.variables;
  const running: RunningAnalysis | null =
    call.isPending && asked !== undefined
      ? {
          title: asked.module.running,
          text: asked.module.runningText(asked.request),
          progress: call.progress,
          slow: call.slow,
          notifies: true,
          onCancel: call.cancel,
        }
      : null;
  return {
    perform,
    again: (analysis: KeptAnalysis) => !call.isPending && perform(analysis, true),
    pending: call.isPending,
    running,
    asked,
    reopened,
    error: call.error,
    reset: call.reset,
    openResult: results.find(({ id }) => id === openId),
    open: setOpenId,
    /** Whether the result of an analysis is here, of the dataset as it is open. */
    has: (id: string) => results.some((result) => result.id === id && result.version === version),
    forget: (id: string) => {
      setResults((current) => current.filter((result) => result.id !== id));
      if (reopened?.id === id) setReopened(null);
    },
  };
}

/** The answer, and its table, which is read away from the page. */
async function readAnswer(
  module: AnalysisModule,
  file: Blob,
): Promise<{ answer: AnyAnswer; table: HeldTable }> {
  try {
    const { answer, table } = await readAnswerTable(file, module.csvField, module.columns);
    return { answer: module.answer.parse(answer), table };
  } catch (cause) {
    throw new ApiContractBroken(module.path, cause);
  }
}

/** Frees the tables of results that are not kept. */
function useClosedTables(results: readonly AnalysisResult[]): void {
  const before = useRef(results);
  useEffect(() => {
    for (const result of before.current) if (!results.includes(result)) result.table.close();
    before.current = results;
  }, [results]);
  useEffect(
    () => () => {
      for (const { table } of before.current) table.close();
    },
    [],
  );
}
