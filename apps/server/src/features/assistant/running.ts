import { randomUUID } from 'node:crypto';
import {
  type AnswerEvent,
  AnswerReader,
  columnsOfTool,
  type PlanStep,
  type ReplayedCall,
  resultView,
  type RunEvent,
  type RunRequest,
  type StepResult,
} from '@cellfolio/assistant';
import type { Caution } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { fencedData } from '../../runtime/fenced-data.ts';
import { limits } from '../../runtime/limits/limits.ts';
import type { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import type { ApiCall } from '../assistant-tools/index.ts';
import type { DatasetWords, ToolCaller } from './dataset-words.ts';
import type { AssistantModel, UsageCount } from './model.ts';
import { answerPrompt, type Prompt } from './prompts.ts';

interface Running {
  readonly caller: ToolCaller;
  readonly userId: string;
  readonly words: DatasetWords;
  readonly model: AssistantModel;
  readonly count: UsageCount;
  readonly progress: Pick<ProgressHub, 'watch'>;
}

interface EndedStep extends StepResult {
  readonly tool: string;
}

/** Runs the steps of a checked plan in the name of the caller, and has the model answer by their results. */
export async function* runPlan(request: RunRequest, running: Running): AsyncGenerator<RunEvent> {
  const { words, model, count, caller } = running;
  const ended: EndedStep[] = [];
  try {
    if (words.missingGenes.length > 0) yield { kind: 'missing', genes: [...words.missingGenes] };
    // One after the other: each may use all of the caller's share of the server.
    for (const step of request.plan.steps) yield* runStep(step, request, running, ended);
    const answer = new Answer(ended, words);
    if (ended.length > 0)
      yield* answer.stream(model.stream(answer.prompt(request.question), caller.signal, count));
    yield { kind: 'end', struck: answer.struck, usage: count.usage };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (!(error instanceof ApiFailure)) throw error;
    yield { kind: 'error', error: { code: error.code, message: error.message } };
  }
}

async function* runStep(
  { id, tool: name, arguments: values }: PlanStep,
  { cells }: RunRequest,
  { caller: { toolbox, api, signal }, userId, words: { dataset }, progress }: Running,
  ended: EndedStep[],
): AsyncGenerator<RunEvent> {
  yield { kind: 'step', step: id };
  const tool = toolbox.toolsByName.get(name)!;
  const hasCells = cells !== undefined && Object.hasOwn(tool.input.shape, 'cells');
  const args = { ...values, dataset, ...(hasCells && { cells }) };
  const calls: ReplayedCall[] = [];
  const requestId = randomUUID();
  const over = new AbortController();
  const outcome = toolbox
    .runTool(tool, args, { api: recorded(api, calls), signal, requestId })
    .finally(() => over.abort());
  // It is awaited when its progress has ended.
  outcome.catch(() => undefined);
  const watched = AbortSignal.any([signal, over.signal]);
  for await (const event of progress.watch({ userId, requestId }, watched))
    yield { kind: 'progress', step: id, ...event };
  const result = await outcome;
  if (!('output' in result)) {
    yield { kind: 'refused', step: id, error: result.refusal };
    return;
  }
  const { data } = result.output;
  ended.push({ step: id, tool: name, view: resultView(data), cautions: cautionsOf(data) });
  yield { kind: 'result', step: id, tool: name, result: data as Record<string, unknown>, calls };
}

function recorded(api: ApiCall, calls: ReplayedCall[]): ApiCall {
  return (request, signal) => {
    const { method, path, body } = request;
    calls.push({ method, path, ...(body && { body: body as Record<string, unknown> }) });
    return api(request, signal);
  };
}

/** Warnings of an analysis, and the cautions of a figure, which have no code. */
function cautionsOf(data: object): readonly Pick<Caution, 'code' | 'message'>[] {
  const { warnings = [], cautions = [] } = data as {
    warnings?: readonly Caution[];
    cautions?: readonly string[];
  };
  return [
    ...warnings.map(({ code, message }) => ({ code, message })),
    ...cautions.map((message) => ({ code: 'figure', message })),
  ];
}

/** The answer of a model as events. */
class Answer {
  readonly #results: readonly EndedStep[];
  readonly #reader: AnswerReader;
  readonly #missingGenes: readonly string[];
  /** Sentences that were left out. */
  struck = 0;

  constructor(results: readonly EndedStep[], { names, missingGenes }: DatasetWords) {
    const tables = new Map(results.map(({ step, tool }) => [step, columnsOfTool(tool)]));
    const kindOf = (step: string, column: string) => tables.get(step)?.get(column)?.kind;
    this.#results = results;
    this.#reader = new AnswerReader({ results, names, kindOf });
    this.#missingGenes = missingGenes;
  }

  prompt(question: string): Prompt {
    const results = fencedData({
      not_in_the_dataset: this.#missingGenes,
      results: this.#results.map(shownStep),
    });
    return answerPrompt({ question, results });
  }

  async *stream(pieces: AsyncIterable<string>): AsyncGenerator<RunEvent> {
    let failure: unknown;
    try {
      for await (const piece of pieces) yield* this.#events(this.#reader.push(piece));
      yield* this.#events(this.#reader.end());
    } catch (error) {
      failure = error;
    }
    // Also where the model fails: the results are there.
    for (const one of this.#reader.cautions()) yield { kind: 'caution', ...one };
    if (failure !== undefined) throw failure;
  }

  *#events(all: Iterable<AnswerEvent>): Generator<RunEvent> {
    for (const event of all) {
      if (event.kind === 'struck') this.struck += 1;
      else yield { kind: event.kind, parts: [...event.parts] };
    }
  }
}

/** A result for the prompt: as many rows as its bytes allow, and no fields that nothing can refer to. */
function shownStep({ step, tool, view }: EndedStep): object {
  const { source: _, ...fields } = view as { source?: unknown; rows?: readonly unknown[] };
  const maxBytes = limits.assistantBytes.value;
  const fits = (shown: object) => Buffer.byteLength(JSON.stringify(shown)) <= maxBytes;
  for (let rows = fields.rows?.length ?? 0; rows >= 1; rows = Math.floor(rows / 2)) {
    const shown = { ...fields, rows: fields.rows!.slice(0, rows) };
    if (fits(shown)) return { step, tool, result: shown };
  }
  const shown = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields))
    if (fits(Object.fromEntries([...shown, [name, value]]))) shown.set(name, value);
  return { step, tool, result: Object.fromEntries(shown) };
}
