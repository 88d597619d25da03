import type { ProgressEvent } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { tellingItsEnd } from '@/features/jobs/tell-finished.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { inWords } from '@/lib/call-failure.ts';
import { randomId } from '@/lib/random-id.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type { AnalysisForms, AnalysisKind, AnalysisResult } from './analyses.ts';
import { analysisTypes, formDefaults, kindOfType, maxResults, moduleOf, readForms } from './analyses.ts';
import type { AnalysisForm } from './analysis-module.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince } from './kept-analyses.ts';
import { useKeptAnalyses } from './use-kept-analyses.ts';

export interface AnalysisRunsOptions {
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
export interface RunningAnalysis {
  title: string;
  text: string;
  /** How far the work has come; `null` while that is not known. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** Its end is told to who looks elsewhere. */
  told: true;
  /** Ends the call, and with it the work on the server. */
  onCancel: () => void;
}

export interface AnalysisRuns {
  /** One of `analysisTypes`, or ''. */
  type: string;
  chooseType: (type: string) => void;
  forms: AnalysisForms;
  changeForm: (kind: AnalysisKind, change: Partial<AnalysisForm>) => void;
  run: () => void;
  running: RunningAnalysis | null;
  error: Error | null;
  /** Tries again what failed: a run of the form, or an analysis of the list. */
  retry: () => void;
  /** The analyses of this dataset, of this visit and those before, newest first. */
  analyses: readonly KeptAnalysis[];
  /** Of these, the ones whose results are gone with the page. */
  unkept: readonly KeptAnalysis[];
  /** The result that is open, and what it was run with. */
  open: { result: AnalysisResult; analysis: KeptAnalysis } | null;
  /** What is no longer as it was when an analysis was run, a sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list; where its result is not here any more, it is computed again. */
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Grows when the panel has something to show that it was not opened for. */
  revealed: number;
  /** Puts genes into the enrichment form and turns to it. */
  enrich: (genes: readonly string[]) => void;
}

/** An analysis with the parameters that it runs with. */
interface Asked {
  kind: AnalysisKind;
  request: object;
}

/** The analyses of one explorer: their forms, the one that runs, and those that were run. */
export function useAnalysisRuns(options: AnalysisRunsOptions): AnalysisRuns {
  const { draftKey, title } = options;
  const { api } = useServices();
  const [type, setType] = useDraft<string>(`${draftKey}:analysis-type`, '', (value) =>
    analysisTypes.find((known) => known === value),
  );
  const [forms, setForms] = useDraft(`${draftKey}:analysis-forms`, formDefaults, readForms);
  const changeForm = (kind: AnalysisKind, change: Partial<AnalysisForm>) =>
    setForms((current) => ({ ...current, [kind]: { ...current[kind], ...change } }));
  const kept = useKeptAnalyses(draftKey);
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  const [revealed, setRevealed] = useState(0);
  const call = useCancellableCall(({ kind, request }: Asked, handle) =>
    tellingItsEnd({ what: moduleOf(kind).told, text: title }, runAnalysis(api, { kind, request }, handle)),
  );
  const pending = call.isPending;

  const [reopened, setReopened] = useState<KeptAnalysis | null>(null);

  /** Runs an analysis and opens its result. */
  const perform = (analysis: KeptAnalysis, isAgain: boolean) => {
    const { datasetName } = options;
    const take = (result: AnalysisResult) => {
      setResults((current) => [result, ...current.filter(({ id }) => id !== result.id)].slice(0, maxResults));
      setOpenId(result.id);
      setReopened(null);
      // No notice: it would lie over the dialog that opens and says the same.
      if (!isAgain) kept.keep(analysis);
    };
    const origin = {
      id: analysis.id,
      datasetName,
      subsetName: analysis.subset?.name ?? 'Global',
      version: options.version,
      createdAt: Date.now(),
      again: isAgain,
    };
    // The cells of then, whatever is active now.
    const subset = analysis.subset?.filter;
    const cells = isAgain ? { cells: subset === undefined ? {} : { subset } } : {};
    const { kind, request } = analysis;
    call.mutate(
      { kind, request: { ...request, ...cells } },
      {
        onSuccess: (answer) => take({ ...origin, kind, answer } as AnalysisResult),
        onError: (error) => {
          if (isCancelled(error)) return;
          const description = `Failed to run ${moduleOf(kind).name}. Please try again.`;
          toast.error('Analysis Failed', { description });
        },
      },
    );
  };
  const run = () => {
    if (pending || type === '') return;
    setReopened(null);
    const { version, group, cells } = options;
    const subset = group && { id: group.id, name: group.name, filter: group.filter };
    const origin = { id: randomId(), ranAt: Date.now(), version, subset, cells };
    const kind = kindOfType(type);
    if (kind === undefined) {
      toast.info('Analysis Started', { description: `${type} is coming soon: no result follows yet.` });
      return;
    }
    const request = moduleOf(kind).form.requestOf(forms[kind]);
    perform({ ...origin, kind, request } as KeptAnalysis, false);
  };
  const again = (analysis: KeptAnalysis) => {
    if (pending) return;
    setReopened(analysis);
    perform(analysis, true);
  };
  const show = (id: string | null) => {
    const analysis = kept.analyses.find((other) => other.id === id);
    const isHere = results.some((result) => result.id === id && result.version === options.version);
    if (id === null || isHere) setOpenId(id);
    else if (analysis !== undefined) again(analysis);
  };
  const asked = call.variables;
  const running: RunningAnalysis | null =
    pending && asked !== undefined
      ? {
          title: moduleOf(asked.kind).running,
          text: moduleOf(asked.kind).runningText(asked.request),
          progress: call.progress,
          slow: call.slow,
          told: true,
          onCancel: call.cancel,
        }
      : null;
  // A failure is told with the form that it is of.
  const shownKind = reopened === null ? kindOfType(type) : reopened.kind;
  const error = asked?.kind === shownKind ? call.error : null;
  const openResult = results.find(({ id }) => id === openId);
  const openAnalysis = kept.analyses.find(({ id }) => id === openId);

  return {
    type,
    chooseType: setType,
    forms,
    changeForm,
    run,
    running,
    error: isCancelled(error) ? null : error,
    retry: () => (reopened === null ? run() : again(reopened)),
    analyses: kept.analyses,
    unkept: kept.unkept,
    open: openResult && openAnalysis ? { result: openResult, analysis: openAnalysis } : null,
    changesOf: (analysis) => changesSince(analysis, options),
    show,
    revealed,
    remove: (id) => {
      kept.remove(id);
      setResults((current) => current.filter((result) => result.id !== id));
      if (reopened?.id === id) setReopened(null);
    },
    enrich: (genes) => {
      changeForm('pathway', { genes: genes.join(', ') });
      setType(moduleOf('pathway').title);
      setOpenId(null);
      setRevealed((times) => times + 1);
      if (!pending && asked?.kind === 'pathway') call.reset();
    },
  };
}

/** Runs an analysis on the active cells, or on those that the request names. @throws {CallFailed} */
function runAnalysis(
  api: ApiClient,
  { kind, request }: Asked,
  handle: CallHandle,
): Promise<AnalysisResult['answer']> {
  const { name, path, answer } = moduleOf(kind);
  return inWords(`Failed to run ${name}`, handle.signal, () =>
    api({ path, body: request, answer, ...handle }),
  ) as Promise<AnalysisResult['answer']>;
}
