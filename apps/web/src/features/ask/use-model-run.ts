import type { PlanStep } from '@cellfolio/assistant';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import type { AskHost } from './ask-host.ts';
import { mapContentOf } from './map-content.ts';
import { historyKey, newRun, type RunState, streamRun, withEvent } from './model-run.ts';

export type RunEnd = 'canceled' | Error;

/** Runs plans of a model on the server; the map shows what each step is about. */
export function useModelRun(host: AskHost, { question, version }: { question: string; version: string }) {
  const { api } = useServices();
  const client = useQueryClient();
  const colorsOf = useMapColors(host);
  const [run, setRun] = useState<RunState | null>(null);
  const [end, setEnd] = useState<RunEnd | null>(null);
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (steps: readonly PlanStep[]): Promise<void> => {
    const current = new AbortController();
    controller.current = current;
    setRun(newRun);
    setEnd(null);
    setRunning(true);
    const filename = host.analysis.dataset_filename;
    const request = {
      question,
      dataset: { filename, version },
      cells: host.model?.cells,
      plan: { steps: [...steps], cannot: null },
    };
    try {
      await streamRun(api, request, {
        signal: current.signal,
        onEvent: (event) => {
          if (current.signal.aborted) return;
          if (event.kind === 'step') {
            const colors = colorsOf(steps.find(({ id }) => id === event.step));
            if (colors !== undefined) host.model?.colorMap(colors);
          }
          setRun((before) => withEvent(before ?? newRun, event));
        },
      });
    } catch (error) {
      if (controller.current === current) setEnd(isCancelled(error) ? 'canceled' : (error as Error));
    } finally {
      if (controller.current === current) setRunning(false);
    }
    void client.invalidateQueries({ queryKey: historyKey(filename) });
  };
  return {
    run,
    end,
    isRunning,
    start,
    cancel: () => controller.current?.abort(),
    clear: () => {
      setRun(null);
      setEnd(null);
    },
  };
}

function useMapColors({ analysis, index }: AskHost) {
  const { api } = useServices();
  const { dataset_filename: filename, version, columns } = analysis;
  const list = useQuery(columnListQuery(api, { filename, version })).data;
  const columnNames = useMemo(
    () =>
      new Set([
        ...(list?.obs ?? []).map(({ name }) => name),
        ...columns.patient_metadata.map(({ column }) => column),
        ...[columns.cell_types, columns.leiden_clusters].filter((name) => name !== undefined),
      ]),
    [list, columns],
  );
  return (step: PlanStep | undefined) => step && mapContentOf(step, { columns, columnNames }, index);
}
