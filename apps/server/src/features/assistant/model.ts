import type { ModelUsage } from '@cellfolio/assistant';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';
import { limits } from '../../runtime/limits/limits.ts';
import { loadLanguageModel, type ModelFault } from '../ai/index.ts';
import type { Prompt } from './prompts.ts';

/** A turn of the conversation after the first text. */
export interface Turn {
  readonly role: 'assistant' | 'user';
  readonly content: string;
}

/** Counts the tokens of several calls of a model. */
export class UsageCount {
  readonly #price: ModelSettings['price'];
  #input: number | null = 0;
  #output: number | null = 0;

  constructor(price: ModelSettings['price']) {
    this.#price = price;
  }

  add({
    inputTokens,
    outputTokens,
  }: {
    inputTokens?: number | undefined;
    outputTokens?: number | undefined;
  }) {
    this.#input = inputTokens === undefined || this.#input === null ? null : this.#input + inputTokens;
    this.#output = outputTokens === undefined || this.#output === null ? null : this.#output + outputTokens;
  }

  /** `cost` in money needs the price, and the counts of the provider. */
  get usage(): ModelUsage {
    const [input, output, price] = [this.#input, this.#output, this.#price];
    const usage = { input_tokens: input, output_tokens: output };
    if (!price || input === null || output === null) return usage;
    const amount = (input * price.input + output * price.output) / 1e6;
    return { ...usage, cost: { amount, currency: price.currency } };
  }
}

export interface AssistantModel {
  /** The text that the model writes. Throws ApiFailure 502 to 504; the reason of the signal when the caller has left. */
  write(prompt: Prompt, turns: readonly Turn[], signal: AbortSignal, count: UsageCount): Promise<string>;
  /** The same in pieces, as they arrive. */
  stream(prompt: Prompt, signal: AbortSignal, count: UsageCount): AsyncGenerator<string>;
}

const maxOutputTokens = limits.assistantTokens.value;
const input = 'this question';

/** Calls the model of the figure analysis; its clients are loaded with the first call. */
export function assistantModel(settings: ModelSettings): AssistantModel {
  const begin = async ({ instructions, text }: Prompt, turns: readonly Turn[], signal: AbortSignal) => {
    const library = await loadLanguageModel();
    const timeout = AbortSignal.timeout(settings.timeoutSeconds * 1000);
    const call = {
      model: library.languageModel(settings),
      instructions,
      messages: [{ role: 'user' as const, content: text }, ...turns],
      maxOutputTokens,
      maxRetries: 1,
      abortSignal: AbortSignal.any([signal, timeout]),
    };
    const fail = (error: unknown): ApiFailure => {
      signal.throwIfAborted();
      return failure(timeout.aborted ? library.modelTimeout(error) : library.modelFault(error, input));
    };
    return { library, call, fail };
  };
  return {
    async write(prompt, turns, signal, count) {
      const { library, call, fail } = await begin(prompt, turns, signal);
      try {
        const { text, usage } = await library.generateText(call);
        count.add(usage);
        return text;
      } catch (error) {
        throw fail(error);
      }
    },
    async *stream(prompt, signal, count) {
      const { library, call, fail } = await begin(prompt, [], signal);
      // Its errors are parts of the stream.
      const result = library.streamText({ ...call, onError: () => undefined });
      try {
        for await (const part of result.stream) {
          if (part.type === 'text-delta') yield part.text;
          else if (part.type === 'finish') count.add(part.totalUsage);
          else if (part.type === 'error') throw part.error;
          else if (part.type === 'abort') throw new DOMException('The call was aborted.', 'AbortError');
        }
      } catch (error) {
        throw fail(error);
      }
    },
  };
}

function failure({ status, code, message, cause, retryAfterSeconds }: ModelFault): ApiFailure {
  return new ApiFailure(status, code, message, {
    cause,
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}

const hosts: Readonly<Record<Exclude<ModelSettings['provider'], 'openai-compatible'>, string>> = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  google: 'generativelanguage.googleapis.com',
};

/** The recipient of all that the model reads. */
export function recipientOf({ provider, model, baseUrl }: ModelSettings) {
  const host = baseUrl === undefined ? hosts[provider as keyof typeof hosts] : new URL(baseUrl).host;
  return { provider, model, host };
}
