import type { ProgressEvent } from '@cellfolio/contract';
import { useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { type HeldTable, readAnswerTable } from '@/features/tables/index.ts';
import { withFinishNotice } from '@/features/uploads/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiContractBroken } from '@/lib/api-errors.ts';
import { refusalOf, withFailureText } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { AnalysisModule, AnalysisResult, AnyAnswer } from './analysis-module.ts';
import type { KeptAnalysis } from './kept-analyses.ts';

export const startedNotice = 'analysis-started';
const failedNotice = 'analysis-failed';
/** Limits of results held while the page is open, and of their table rows: a million rows takes about 160 megabytes. */
const maxResults = 10;
const maxRows = 5_000_000;

interface RunsOptions {
  datasetName: string;
  title: string;
  version: string;
}

export interface RunningAnalysis {
  title: string;
  text: string;
  /** Progress; `null` if unknown. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** A notification announces its end. */
  notifies: true;
  onCancel: () => void;
}

export function useRuns(
  { title, datasetName, version }: RunsOptions,
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
  const asked = call.variables;
  const running = call.isPending && asked !== undefined ? runningAnalysis(asked, call) : null;
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
    asked,
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
  { progress, slow, cancel }: Pick<RunningAnalysis, 'progress' | 'slow'> & { readonly cancel: () => void },
): RunningAnalysis {
  return {
    title: module.running,
    text: module.runningText(request),
    progress,
    slow,
    notifies: true,
    onCancel: () => {
      cancel();
      toast.info('Cancelled', { id: startedNotice, description: `${module.noticeName} was stopped.` });
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
