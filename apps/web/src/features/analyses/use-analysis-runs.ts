import type { NextQuestion } from '@cellfolio/analyses';
import type { DatasetAnalysis, ProgressEvent } from '@cellfolio/contract';
import { useState, useEffect, useEffectEvent, useRef } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import { randomId } from '@/lib/session-id.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { refusalOf } from '@/lib/call-failure.ts';
import { type AnalysisAnswerRead, useAnalysisCall } from './analysis-call.ts';
import {
  type AnalysisForm,
  type AnalysisForms,
  type AnalysisModule,
  type AnalysisResult,
  formOf,
  readForms,
} from './analysis-module.ts';
import { type JoinedTables, newest, useClosedTables, useJoinedTables } from './results-in-memory.ts';
import { type KeptAnalysis, changesSince, useKeptAnalyses } from './kept-analyses.ts';
import { idsOfTab, type OpenTabs, tabId, useOpenTabs } from './open-tabs.ts';

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
  /** Shows the forms, wherever they are. */
  reveal?: () => void;
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
  /**
   * Runs an analysis by its defaults and a change of its form, on other cells than the active ones where these are named.
   * @returns why it failed, undefined if it did not; rejects if another one runs
   */
  runStep: (
    module: AnalysisModule,
    change: Partial<AnalysisForm>,
    dataset: DatasetAnalysis,
    cells?: Pick<CellGroup, 'name' | 'filter'>,
  ) => Promise<Error | undefined>;
  /** Runs another request on the cells of an analysis, as a new analysis. */
  runInstead: (analysis: KeptAnalysis, request: object) => void;
  /** Runs the request of an analysis on other cells, as a new analysis. */
  runOn: (analysis: KeptAnalysis, group: CellGroup, cells: number) => void;
  running: RunningAnalysis | null;
  error: Error | null;
  analyses: readonly KeptAnalysis[];
  /** The analyses whose results are lost when the page is closed. */
  unkept: readonly KeptAnalysis[];
  /** Where and how long the others are kept: `in your account`. */
  place: string;
  /** Reading of those in the account. */
  list: ReturnType<typeof useKeptAnalyses>['list'];
  /** The open results, in their order; results that are no longer in memory are computed when their tab is shown. */
  tabs: readonly ResultTab[];
  activeTab: ResultTab | undefined;
  openTab: (id: string) => void;
  closeTab: (id: string) => void;
  joinedTables: JoinedTables;
  /** Computes the missing results of a tab again, after a failure. */
  retryTab: (id: string) => void;
  /** Changes since an analysis was run, one sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list in a tab. */
  show: (id: string) => void;
  remove: (id: string) => void;
  /** Renames an analysis of the list; an empty name restores its title. */
  rename: (id: string, name: string) => void;
  /** Compares two analyses of the list in a tab. */
  compare: (ids: readonly [string, string]) => void;
  prepare: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  enrich: (genes: readonly string[]) => void;
  /** Prepares the analysis that a result leads to. */
  follow: (next: NextQuestion) => void;
}

export interface ShownAnalysis {
  result: AnalysisResult;
  analysis: KeptAnalysis;
}

export interface ResultTab {
  id: string;
  /** One, or two that are compared. */
  analyses: readonly KeptAnalysis[];
  /** Undefined until all its results are in memory. */
  shown: readonly ShownAnalysis[] | undefined;
  /** Why a result is missing; `'stopped'` if the user cancelled it. */
  failure: Error | 'stopped' | undefined;
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
  const { analyses, list } = savedAnalyses;
  const open = useOpenTabs(draftKey, { analyses, isLoading: list.isLoading });
  const runs = useRuns(options, open, savedAnalyses.keep);

  const { asked: requests } = runs;
  const isOfForm = requests?.again === undefined;
  const editForm = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    // A number that is left says its value again, on the way to the button that tries again.
    // name-dictionary: by the id of a module of ours, and the names of its fields
    const isNew = Object.entries(change).some(([field, value]) => forms[module.id]![field] !== value);
    changeForm(module, change);
    if (isNew && !runs.pending && isOfForm && requests?.module === module) runs.reset();
  };

  const start = (module: AnalysisModule, form: AnalysisForm, dataset: DatasetAnalysis) => {
    if (runs.pending) return;
    const request = module.form.requestOf(form, dataset);
    const description = module.startedText?.(request);
    if (description !== undefined) toast.info('Analysis Started', { id: startedNotice, description });
    void runs.perform(newAnalysis(module, request, options));
  };
  const run = (dataset: DatasetAnalysis) => chosen && start(chosen, formOf(chosen, forms), dataset);
  const runInstead = ({ module, subset, cells }: KeptAnalysis, request: object) => {
    if (runs.pending) return;
    const chosenCells = { cells: subset === null ? {} : { subset: subset.filter } };
    void runs.perform(newAnalysis(module, { ...request, ...chosenCells }, { group: subset, cells, version }));
  };
  // A failure is shown with the form that it is of, or in the tab of the analysis.
  const error = isOfForm && requests?.module === chosen ? runs.error : null;
  const prepare = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    changeForm(module, change);
    setType(module.title);
    options.reveal?.();
    if (!runs.pending && requests?.module === module) runs.reset();
  };
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
    runStep: async (module, change, dataset, cells) => {
      if (runs.isBusy()) throw new Error('Another analysis is running: run this one when it has ended');
      const form: AnalysisForm = { ...module.form.defaults, ...(change as AnalysisForm) };
      const request = module.form.requestOf(form, dataset);
      if (cells === undefined) return runs.perform(newAnalysis(module, request, options));
      const group = { ...cells, id: null };
      const chosenCells = { cells: { subset: cells.filter } };
      return runs.perform(
        newAnalysis(module, { ...request, ...chosenCells }, { group, cells: null, version }),
      );
    },
    runInstead,
    runOn: (analysis, subset, cells) => runInstead({ ...analysis, subset, cells }, analysis.request),
    running: runs.running,
    error: isCancelled(error) ? null : error,
    analyses,
    unkept: savedAnalyses.unkept,
    place: savedAnalyses.place,
    list,
    tabs: runs.tabs,
    activeTab: runs.tabs.find(({ id }) => id === open.active?.id),
    openTab: open.open,
    closeTab: runs.close,
    joinedTables: runs.joinedTables,
    retryTab: runs.retry,
    changesOf: (analysis) => changesSince(analysis, options),
    show: (id) => open.open(tabId([id])),
    rename: savedAnalyses.rename,
    compare: (ids) => open.open(tabId(ids)),
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
  { group, cells, version }: Pick<AnalysisRunsOptions, 'group' | 'cells' | 'version'>,
): KeptAnalysis {
  const subset = group && { id: group.id, name: group.name, filter: group.filter };
  return { id: randomId(), ranAt: Date.now(), version, subset, cells, module, request };
}

const startedNotice = 'analysis-started';
const failedNotice = 'analysis-failed';
interface RunningAnalysis {
  title: string;
  text: string;
  /** Progress; `null` if unknown. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** A notification announces its end. */
  notifies: true;
  /** The analysis of the list that is computed again, which its tab shows; undefined for a new one. */
  again: string | undefined;
  onCancel: () => void;
}

function useRuns(
  { title, datasetName, version }: { datasetName: string; title: string; version: string },
  open: OpenTabs,
  onDone: (analysis: KeptAnalysis) => void,
) {
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  useClosedTables(results);
  /** The tabs when a result arrives, which can be others than when it was requested. */
  const openNow = useRef(open);
  useEffect(() => {
    openNow.current = open;
  });
  const joinedTables = useJoinedTables(() => (openNow.current.active ? [openNow.current.active] : []));
  /** By the id of the analysis. */
  const [failures, setFailures] = useState<ReadonlyMap<string, Error | 'stopped'>>(new Map());
  const call = useAnalysisCall(title);
  const fail = (id: string, failure: Error | 'stopped') =>
    setFailures((current) => new Map([...current, [id, failure]]));
  const perform = (analysis: KeptAnalysis, again = false): Promise<Error | undefined> => {
    const { id, module, request, subset } = analysis;
    const take = ({ answer, table }: AnalysisAnswerRead) => {
      const origin = { id, datasetName, version, createdAt: Date.now(), again };
      const result = { ...origin, module, answer, table, subsetName: subset?.name ?? 'Global' };
      const needed = again ? (openNow.current.active?.analyses ?? []) : [];
      setResults((current) => newest([result, ...current.filter((other) => other.id !== id)], needed));
      // No notice: it says the same as the tab that opens, as would the one of its beginning.
      toast.dismiss(startedNotice);
      toast.dismiss(failedNotice);
      if (again) return;
      onDone(analysis);
      open.open(tabId([id]));
    };
    // The cells of then, whatever is active now.
    const cells = again ? { cells: subset === null ? {} : { subset: subset.filter } } : {};
    return call.end(
      { module, request: { ...request, ...cells }, again: again ? analysis : undefined },
      {
        onSuccess: take,
        onError: (error) => {
          if (isCancelled(error)) return;
          if (again) return fail(id, error);
          const failed = `Failed to run ${module.name}. Please try again.`;
          const description = module.alwaysRetried === true ? failed : (refusalOf(error) ?? failed);
          toast.error('Analysis Failed', { id: failedNotice, description });
        },
      },
    );
  };
  const { variables } = call;
  const again = call.isPending ? variables?.again?.id : undefined;
  const cancel = () => {
    call.cancel();
    if (again !== undefined) fail(again, 'stopped');
  };
  const running =
    call.isPending && variables !== undefined ? runningAnalysis(variables, { ...call, cancel, again }) : null;
  /** The result of an analysis, for the open version of the dataset. */
  const resultOf = (id: string) => results.find((result) => result.id === id && result.version === version);
  const missing = call.isPending
    ? undefined
    : open.active?.analyses.find(({ id }) => resultOf(id) === undefined && !failures.has(id));
  const computeMissing = useEffectEvent(() => missing && void perform(missing, true));
  const missingId = missing?.id;
  useEffect(() => {
    if (missingId !== undefined) computeMissing();
  }, [missingId]);
  const forgetFailures = (id: string) =>
    setFailures((current) => new Map([...current].filter(([failed]) => !idsOfTab(id).includes(failed))));
  return {
    perform,
    pending: call.isPending,
    isBusy: call.isBusy,
    running,
    asked: variables,
    error: call.error,
    reset: call.reset,
    tabs: open.tabs.map((tab) => resultTab(tab, resultOf, failures)),
    joinedTables,
    close: (id: string) => {
      joinedTables.close((tab) => tab === id);
      if (again !== undefined && idsOfTab(id).includes(again)) call.cancel();
      forgetFailures(id);
      open.close(id);
    },
    retry: forgetFailures,
    forget: (id: string) => {
      if (again === id) call.cancel();
      joinedTables.close((tab) => idsOfTab(tab).includes(id));
      forgetFailures(id);
      open.closeAllOf(id);
      setResults((current) => current.filter((result) => result.id !== id));
    },
  };
}

function resultTab(
  { id, analyses }: OpenTabs['tabs'][number],
  resultOf: (id: string) => AnalysisResult | undefined,
  failures: ReadonlyMap<string, Error | 'stopped'>,
): ResultTab {
  const shown = analyses.flatMap((analysis) => {
    const result = resultOf(analysis.id);
    return result === undefined ? [] : [{ analysis, result }];
  });
  const failed = analyses.find((analysis) => failures.has(analysis.id));
  return {
    id,
    analyses,
    shown: shown.length === analyses.length ? shown : undefined,
    failure: failed && failures.get(failed.id),
  };
}

function runningAnalysis(
  { module, request }: Pick<KeptAnalysis, 'module' | 'request'>,
  {
    progress,
    slow,
    again,
    cancel,
  }: Pick<RunningAnalysis, 'progress' | 'slow' | 'again'> & {
    cancel: () => void;
  },
): RunningAnalysis {
  return {
    title: module.running,
    text: module.runningText(request),
    progress,
    slow,
    notifies: true,
    again,
    onCancel: () => {
      cancel();
      toast.info('Canceled', { id: startedNotice, description: `${module.noticeName} was stopped.` });
    },
  };
}
