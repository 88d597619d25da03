import type { NextQuestion } from '@cellfolio/analyses';
import type { DatasetAnalysis, ProgressEvent } from '@cellfolio/contract';
import { useState, useEffect, useRef } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import { randomId } from '@/lib/session-id.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { type HeldTable, readAnswerTable } from '@/features/tables/index.ts';
import { withFinishNotice } from '@/features/uploads/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiContractBroken } from '@/lib/api-errors.ts';
import { refusalOf, withFailureText } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import {
  type AnalysisForm,
  type AnalysisForms,
  type AnalysisModule,
  type AnalysisResult,
  formOf,
  readForms,
  type AnyAnswer,
} from './analysis-module.ts';
import { type KeptAnalysis, changesSince, useKeptAnalyses } from './kept-analyses.ts';

export interface AnalysisRunsOptions {
  modules: readonly AnalysisModule[];
  /** Storage key of forms and analyses: user and dataset. */
  draftKey: string;
  datasetName: string;
  title: string;
  version: string;
  /** The active subset; `null` for the whole dataset. */
  group: CellGroup | null;
  /** Number of active cells; `null` if unknown. */
  cells: number | null;
  /** The saved subsets; `undefined` while unknown. */
  subsets: readonly CellGroup[] | undefined;
}

export interface AnalysisRuns {
  modules: readonly AnalysisModule[];
  /** Title of the chosen analysis, or ''. */
  type: string;
  chooseType: (type: string) => void;
  chosen: AnalysisModule | undefined;
  forms: AnalysisForms;
  changeForm: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  run: (dataset: DatasetAnalysis) => void;
  /** Prepares an analysis from its defaults, and runs it at once. */
  runPrepared: (module: AnalysisModule, change: Partial<AnalysisForm>, dataset: DatasetAnalysis) => void;
  /** Runs another request on the cells of an analysis, as a new analysis. */
  runInstead: (analysis: KeptAnalysis, request: object) => void;
  running: RunningAnalysis | null;
  error: Error | null;
  retry: (dataset: DatasetAnalysis) => void;
  analyses: readonly KeptAnalysis[];
  /** The analyses whose results are lost when the page is closed. */
  unkept: readonly KeptAnalysis[];
  /** Where and how long the others are kept: `in your account`. */
  place: string;
  /** Reading of those in the account. */
  list: ReturnType<typeof useKeptAnalyses>['list'];
  open: { result: AnalysisResult; analysis: KeptAnalysis } | null;
  /** Changes since an analysis was run, one sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list; a result no longer in memory is computed again. */
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Renames an analysis of the list; an empty name restores its title. */
  rename: (id: string, name: string) => void;
  compared: readonly [ComparedAnalysis, ComparedAnalysis] | null;
  /** Compares two analyses of the list, computing missing results again; `null` ends the comparison. */
  compare: (ids: readonly [string, string] | null) => void;
  /** Increments when the panel has something new to show. */
  revealed: number;
  prepare: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  enrich: (genes: readonly string[]) => void;
  /** Prepares the analysis that a result leads to. */
  follow: (next: NextQuestion) => void;
}

export interface ComparedAnalysis {
  result: AnalysisResult;
  analysis: KeptAnalysis;
}

export function useAnalysisRuns(options: AnalysisRunsOptions): AnalysisRuns {
  const { draftKey, modules, version } = options;
  const [type, setType] = useDraft<string>(`${draftKey}:analysis-type`, '', (value) =>
    modules.map(({ title }) => title).find((title) => title === value),
  );
  const chosen = modules.find(({ title }) => title === type);
  const [forms, setForms] = useDraft(`${draftKey}:analysis-forms`, readForms(modules, {})!, (value) =>
    readForms(modules, value),
  );
  const changeForm = ({ id }: AnalysisModule, change: Partial<AnalysisForm>) =>
    // name-dictionary: by the id of a module of ours
    setForms((current) => ({ ...current, [id]: { ...current[id], ...change } as AnalysisForm }));
  const savedAnalyses = useKeptAnalyses(draftKey, options.datasetName, modules);
  const [revealed, setRevealed] = useState(0);
  const runs = useRuns(options, savedAnalyses.keep);

  const { reopened, asked: requests } = runs;
  const editForm = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    // A number that is left says its value again, on the way to the button that tries again.
    // name-dictionary: by the id of a module of ours, and the names of its fields
    const isNew = Object.entries(change).some(([field, value]) => forms[module.id]![field] !== value);
    changeForm(module, change);
    if (isNew && !runs.pending && reopened === null && requests?.module === module) runs.reset();
  };

  const start = (module: AnalysisModule, form: AnalysisForm, dataset: DatasetAnalysis) => {
    if (runs.pending) return;
    const request = module.form.requestOf(form, dataset);
    const description = module.startedText?.(request);
    if (description !== undefined) toast.info('Analysis Started', { id: startedNotice, description });
    runs.perform(newAnalysis(module, request, options));
  };
  const run = (dataset: DatasetAnalysis) => chosen && start(chosen, formOf(chosen, forms), dataset);
  const runInstead = ({ module, subset, cells }: KeptAnalysis, request: object) => {
    if (runs.pending) return;
    runs.open(null);
    const chosenCells = { cells: subset === null ? {} : { subset: subset.filter } };
    const fullRequest = { ...request, ...chosenCells };
    runs.perform({ id: randomId(), ranAt: Date.now(), version, subset, cells, module, request: fullRequest });
  };
  // A failure is shown with the form that it is of.
  const error = requests?.module === (reopened === null ? chosen : reopened.module) ? runs.error : null;
  const prepare = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    changeForm(module, change);
    setType(module.title);
    runs.open(null);
    setRevealed((times) => times + 1);
    if (!runs.pending && requests?.module === module) runs.reset();
  };
  const openAnalysis = savedAnalyses.analyses.find(({ id }) => id === runs.openResult?.id);

  return {
    modules,
    type,
    chooseType: setType,
    chosen,
    forms,
    changeForm: editForm,
    run,
    runPrepared: (module, change, dataset) => {
      const form: AnalysisForm = { ...module.form.defaults, ...(change as AnalysisForm) };
      prepare(module, form);
      start(module, form, dataset);
    },
    runInstead,
    running: runs.running,
    error: isCancelled(error) ? null : error,
    retry: (dataset) => (reopened === null ? run(dataset) : runs.again(reopened)),
    analyses: savedAnalyses.analyses,
    unkept: savedAnalyses.unkept,
    place: savedAnalyses.place,
    list: savedAnalyses.list,
    open: runs.openResult && openAnalysis ? { result: runs.openResult, analysis: openAnalysis } : null,
    changesOf: (analysis) => changesSince(analysis, options),
    show: (id) => {
      const analysis = savedAnalyses.analyses.find((other) => other.id === id);
      if (id === null || runs.has(id)) runs.open(id);
      else if (analysis !== undefined) runs.again(analysis);
    },
    rename: savedAnalyses.rename,
    compared: comparedOf(runs.compared, savedAnalyses.analyses),
    compare: (ids) => {
      const both = ids?.map((id) => savedAnalyses.analyses.find((other) => other.id === id)) ?? [];
      const [first, second] = both;
      if (first !== undefined && second !== undefined) runs.compare([first, second]);
      else runs.compare(null);
    },
    revealed,
    prepare,
    remove: (id) => {
      savedAnalyses.remove(id);
      runs.forget(id);
    },
    ...nextSteps(modules, prepare),
  };
}

function nextSteps(
  modules: readonly AnalysisModule[],
  prepare: AnalysisRuns['prepare'],
): Pick<AnalysisRuns, 'follow' | 'enrich'> {
  return {
    follow: ({ analysis, change }) => {
      const module = modules.find(({ id }) => id === analysis);
      if (module?.form.textsOf !== undefined) prepare(module, module.form.textsOf(change));
    },
    enrich: (genes) => {
      const module = modules.find(({ form }) => form.withGenes !== undefined);
      if (module?.form.withGenes !== undefined) prepare(module, module.form.withGenes(genes));
    },
  };
}

function newAnalysis(
  module: AnalysisModule,
  request: object,
  { group, cells, version }: AnalysisRunsOptions,
): KeptAnalysis {
  const subset = group && { id: group.id, name: group.name, filter: group.filter };
  return { id: randomId(), ranAt: Date.now(), version, subset, cells, module, request };
}

function comparedOf(
  results: readonly (AnalysisResult | undefined)[],
  analyses: readonly KeptAnalysis[],
): AnalysisRuns['compared'] {
  const [first, second] = results.map((result) => {
    const analysis = analyses.find(({ id }) => id === result?.id);
    return result && analysis && { result, analysis };
  });
  return first && second ? [first, second] : null;
}

const startedNotice = 'analysis-started';
const failedNotice = 'analysis-failed';
/** Limits of results held while the page is open, and of their table rows: a million rows takes about 160 megabytes. */
const maxResults = 10;
const maxRows = 5_000_000;

interface RunningAnalysis {
  title: string;
  text: string;
  /** Progress; `null` if unknown. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** A notification announces its end. */
  notifies: true;
  onCancel: () => void;
}

function useRuns(
  { title, datasetName, version }: { datasetName: string; title: string; version: string },
  onDone: (analysis: KeptAnalysis) => void,
) {
  const { api } = useServices();
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  useClosedTables(results);
  const [openId, setOpenId] = useState<string | null>(null);
  /** The analysis of the list that is being computed again. */
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

  const [comparedIds, setComparedIds] = useState<readonly [string, string] | null>(null);
  /** `then` is called instead of opening the result. */
  const perform = (analysis: KeptAnalysis, again = false, then?: () => void) => {
    setReopened(again ? analysis : null);
    const { id, module, request, subset } = analysis;
    const take = ({ answer, table }: Awaited<ReturnType<typeof readAnswer>>) => {
      const origin = { id, datasetName, version, createdAt: Date.now(), again };
      const result = { ...origin, module, answer, table, subsetName: subset?.name ?? 'Global' };
      setResults((current) => newest([result, ...current.filter((other) => other.id !== id)]));
      setReopened(null);
      if (then === undefined) setOpenId(id);
      else then();
      // No notice: it would cover the dialog that opens and says the same, as would the one of its beginning.
      toast.dismiss(startedNotice);
      toast.dismiss(failedNotice);
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
          const failed = `Failed to run ${module.name}. Please try again.`;
          const description = module.alwaysRetried === true ? failed : (refusalOf(error) ?? failed);
          toast.error('Analysis Failed', { id: failedNotice, description });
        },
      },
    );
  };
  const variables = call.variables;
  const running = call.isPending && variables !== undefined ? runningAnalysis(variables, call) : null;
  const has = (id: string) => results.some((result) => result.id === id && result.version === version);
  /** Computes missing results again, one after the other. */
  const load = ([next, ...others]: readonly KeptAnalysis[], then: () => void): void => {
    if (next === undefined) then();
    else if (has(next.id)) load(others, then);
    else perform(next, true, () => load(others, then));
  };
  const compared = comparedIds?.map((id) => results.find((result) => result.id === id)) ?? [];
  return {
    perform,
    compared,
    compare: (both: readonly [KeptAnalysis, KeptAnalysis] | null) => {
      setComparedIds(null);
      if (both !== null && !call.isPending) load(both, () => setComparedIds([both[0].id, both[1].id]));
    },
    again: (analysis: KeptAnalysis) => !call.isPending && perform(analysis, true),
    pending: call.isPending,
    running,
    asked: variables,
    reopened,
    error: call.error,
    reset: call.reset,
    openResult: results.find(({ id }) => id === openId),
    open: setOpenId,
    /** Whether the result of an analysis is in memory, for the open version of the dataset. */
    has,
    forget: (id: string) => {
      setResults((current) => current.filter((result) => result.id !== id));
      if (reopened?.id === id) setReopened(null);
    },
  };
}

function runningAnalysis(
  { module, request }: Pick<KeptAnalysis, 'module' | 'request'>,
  { progress, slow, cancel }: Pick<RunningAnalysis, 'progress' | 'slow'> & { cancel: () => void },
): RunningAnalysis {
  return {
    title: module.running,
    text: module.runningText(request),
    progress,
    slow,
    notifies: true,
    onCancel: () => {
      cancel();
      toast.info('Canceled', { id: startedNotice, description: `${module.noticeName} was stopped.` });
    },
  };
}

/** The newest results within the limits, at least one. */
function newest(results: readonly AnalysisResult[]): AnalysisResult[] {
  let rows = 0;
  return results.filter(({ table }, place) => {
    rows += table.rowCount;
    return place === 0 || (place < maxResults && rows <= maxRows);
  });
}

/** The response with its table, which is read off the main thread. */
async function readAnswer(
  module: AnalysisModule,
  file: Blob,
): Promise<{ answer: AnyAnswer; table: HeldTable }> {
  try {
    const { answer: read, table } = await readAnswerTable(file, module.csvField, module.columns);
    const answer = module.answer.parse(read);
    const bounds = module.pValueBounds?.(answer);
    if (bounds === undefined) return { answer, table };
    const columns = table.columns.map((column) => ({ ...column, bound: bounds.get(column.name) }));
    return { answer, table: { ...table, columns } };
  } catch (cause) {
    throw new ApiContractBroken(module.path, cause);
  }
}

/** Frees the tables of discarded results. */
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
