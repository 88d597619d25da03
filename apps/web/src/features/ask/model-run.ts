import {
  type AnswerPart,
  type AnsweredQuestion,
  type ModelUsage,
  type Plan,
  type ReplayedCall,
  runEvent,
  type RunEvent,
} from '@cellfolio/assistant';
import type { Caution, FilterRequest, ProgressEvent } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { eventDataReader } from '@/lib/event-stream.ts';

/** A step of a run; a step without a state waits. */
export type StepState =
  | { readonly kind: 'running'; readonly progress: ProgressEvent | null }
  | {
      readonly kind: 'done';
      readonly tool: string;
      readonly result: object;
      readonly calls: readonly ReplayedCall[];
    }
  | { readonly kind: 'refused'; readonly message: string };

export interface Answer {
  readonly sentences: readonly (readonly AnswerPart[])[];
  readonly cautions: readonly Pick<Caution, 'code' | 'message'>[];
  readonly missingGenes: readonly string[];
  /** Absent until the end. */
  readonly end?: { readonly struck: number; readonly usage: ModelUsage };
}

export interface RunState {
  readonly steps: ReadonlyMap<string, StepState>;
  readonly answer: Answer;
  /** The sentence of the server where the run ended early. */
  readonly failure?: string;
}

export const newRun: RunState = {
  steps: new Map(),
  answer: { sentences: [], cautions: [], missingGenes: [] },
};

export function withEvent(run: RunState, event: RunEvent): RunState {
  const withStep = (step: string, state: StepState): RunState => ({
    ...run,
    steps: new Map([...run.steps, [step, state]]),
  });
  const withAnswer = (change: Partial<Answer>): RunState => ({
    ...run,
    answer: { ...run.answer, ...change },
  });
  const { answer } = run;
  switch (event.kind) {
    case 'step':
      return withStep(event.step, { kind: 'running', progress: null });
    case 'progress': {
      const { stage, done, total } = event;
      return withStep(event.step, { kind: 'running', progress: { stage, done, total } });
    }
    case 'result': {
      const { tool, result, calls } = event;
      return withStep(event.step, { kind: 'done', tool, result, calls });
    }
    case 'refused':
      return withStep(event.step, { kind: 'refused', message: event.error.message });
    case 'missing':
      return withAnswer({ missingGenes: event.genes });
    case 'sentence':
      return withAnswer({ sentences: [...answer.sentences, event.parts] });
    case 'caution':
      return withAnswer({ cautions: [...answer.cautions, { code: event.code, message: event.message }] });
    case 'end':
      return withAnswer({ end: { struck: event.struck, usage: event.usage } });
    case 'error':
      return { ...run, failure: event.error.message };
  }
}

/** The answer of a question of the history. */
export function storedAnswer({ sentences, cautions, struck, usage }: AnsweredQuestion): Answer {
  return { sentences, cautions, missingGenes: [], end: { struck, usage } };
}

/** Cautions of the result of a step: warnings of an analysis, or cautions of a figure. */
export function cautionsOfResult(result: object): readonly string[] {
  const { warnings, cautions } = result as { warnings?: unknown; cautions?: unknown };
  return [warnings, cautions].flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((one: unknown) => {
          const text = typeof one === 'object' && one !== null ? Reflect.get(one, 'message') : one;
          return typeof text === 'string' ? [text] : [];
        })
      : [],
  );
}

export interface ModelQuestionRequest {
  readonly question: string;
  readonly dataset: { readonly filename: string; readonly version: string };
  readonly cells?: { readonly subset: FilterRequest } | undefined;
}

/** Runs a plan. Rejects as the client does, and where the stream ends without its last event. */
export async function streamRun(
  api: ApiClient,
  request: ModelQuestionRequest & { readonly plan: Plan },
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: RunEvent) => void },
): Promise<void> {
  const read = eventDataReader();
  let hasEnded = false;
  await api({
    path: '/api/assistant/run',
    body: request,
    signal,
    answer: { parse: () => undefined },
    expects: 'pieces',
    onPiece: (piece) => {
      for (const data of read(piece)) {
        const event = runEvent.parse(JSON.parse(data));
        hasEnded ||= event.kind === 'end' || event.kind === 'error';
        onEvent(event);
      }
    },
  });
  if (!hasEnded) throw new Error('The connection ended before the answer was complete. Run the plan again');
}

/** Query key of the questions that a model has answered about a dataset. */
export function historyKey(filename: string) {
  return ['model-questions', filename] as const;
}
