import { useRef } from 'react';
import { type HeldTable, readAnswerTable } from '@/features/tables/index.ts';
import { withFinishNotice } from '@/features/uploads/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { ApiContractBroken } from '@/lib/api-errors.ts';
import { withFailureText } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { AnalysisModule, AnyAnswer } from './analysis-module.ts';
import type { KeptAnalysis } from './kept-analyses.ts';

interface AnalysisCall extends Pick<KeptAnalysis, 'module' | 'request'> {
  /** The analysis of the list that is computed again; undefined for a new one. */
  again: KeptAnalysis | undefined;
}

/** Runs analyses on the server, one at a time. */
export function useAnalysisCall(title: string) {
  const { api } = useServices();
  /** Whether a call runs, also before the page is rendered after its end. */
  const isBusy = useRef(false);
  const call = useCancellableCall(({ module, request }: AnalysisCall, handle) => {
    const answer = withFailureText(`Failed to run ${module.name}`, handle.signal, async () => {
      const file = await api({
        path: module.path,
        body: request,
        expects: 'file',
        answer: anyFile,
        ...handle,
      });
      return readTable(module, file, handle.signal);
    });
    return withFinishNotice({ what: module.noticeName, text: title }, answer);
  });
  return {
    ...call,
    isBusy: () => isBusy.current,
    /** @returns why the call failed, undefined if it did not */
    end: async (...of: Parameters<typeof call.mutateAsync>): Promise<Error | undefined> => {
      isBusy.current = true;
      try {
        await call.mutateAsync(...of);
        return undefined;
      } catch (error) {
        return error as Error;
      } finally {
        isBusy.current = false;
      }
    },
  };
}

export interface AnalysisAnswerRead {
  answer: AnyAnswer;
  table: HeldTable;
}

/** The response with its table, which is read off the main thread, and freed if the call was cancelled meanwhile. */
async function readTable(
  module: AnalysisModule,
  file: Blob,
  signal: AbortSignal,
): Promise<AnalysisAnswerRead> {
  let table: HeldTable | undefined;
  try {
    const read = await readAnswerTable(file, module.csvField, module.columns);
    ({ table } = read);
    signal.throwIfAborted();
    const answer = module.answer.parse(read.answer);
    const bounds = module.pValueBounds?.(answer);
    const titles = module.titles?.(answer);
    if (bounds === undefined && titles === undefined) return { answer, table };
    const columns = table.columns.map((column) => ({
      ...column,
      label: titles?.get(column.name) ?? column.label,
      bound: bounds?.get(column.name),
    }));
    return { answer, table: { ...table, columns } };
  } catch (cause) {
    table?.close();
    signal.throwIfAborted();
    throw new ApiContractBroken(module.path, cause);
  }
}
