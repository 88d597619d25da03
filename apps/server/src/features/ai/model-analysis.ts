import { FunctionError } from '@cellfolio/platform';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, type LanguageModel, RetryError } from 'ai';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';
import type { FigurePrompt } from './figure-prompt.ts';
import type { ServerImage } from './image-source.ts';

export interface ModelAnalysis {
  /**
   * The model's description of the picture. Throws FunctionError 502 when the provider refuses, fails or returns
   * nothing, 503 when it is busy, 504 on timeout; throws the signal's reason when the caller has left.
   */
  analyse(prompt: FigurePrompt, image: ServerImage, signal: AbortSignal): Promise<string>;
}

/** Includes room for reasoning. */
const maxOutputTokens = 4_000;
const maxAnswer = 20_000;

// The library would write its remarks on settings to the terminal.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Calls the model that the operator chose, with a retry two seconds later when it is busy or failing. The picture is
 * sent as bytes, so nothing is fetched for it.
 */
export function createModelAnalysis(
  settings: ModelSettings,
  { retries = 1 }: { retries?: number } = {},
): ModelAnalysis {
  const model = languageModel(settings);
  return {
    analyse: async ({ instructions, text }, { bytes, mediaType }, signal) => {
      const timeout = AbortSignal.timeout(settings.timeoutSeconds * 1000);
      try {
        const answer = await generateText({
          model,
          instructions,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text },
                { type: 'file', data: bytes, mediaType },
              ],
            },
          ],
          maxOutputTokens,
          maxRetries: retries,
          abortSignal: AbortSignal.any([signal, timeout]),
        });
        const analysis = answer.text.trim();
        if (analysis === '') throw failure(502, 'no_analysis', 'No analysis returned from the service');
        return analysis.slice(0, maxAnswer);
      } catch (error) {
        if (error instanceof FunctionError) throw error;
        signal.throwIfAborted();
        if (timeout.aborted) {
          throw failure(504, 'model_timeout', 'The model took too long to answer. Please try again.', error);
        }
        throw modelFailure(error);
      }
    },
  };
}

function languageModel({ provider, model, apiKey, baseUrl }: ModelSettings): LanguageModel {
  const common = { ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }), fetch: stayThere };
  switch (provider) {
    case 'openai':
      // The plain chat call: by default the provider keeps nothing of it.
      return createOpenAI(common).chat(model);
    case 'anthropic':
      return createAnthropic(common)(model);
    case 'google':
      return createGoogle(common)(model);
    case 'openai-compatible':
      return createOpenAICompatible({ ...common, name: 'model', baseURL: baseUrl! }).chatModel(model);
  }
}

/** Refuses redirects: another host is not the provider that the operator chose. */
const stayThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

/** The provider's message may hold keys and prompts: it is logged as the cause and not sent to the caller. */
function modelFailure(error: unknown): FunctionError {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined;
  if (status === 429 || status === 503 || status === 529) {
    const busy = 'The model is busy. Please try again in a minute.';
    return new FunctionError(503, 'model_busy', busy, { cause, retryAfterSeconds: 60 });
  }
  if (status === 401 || status === 403 || status === 404) {
    return failure(502, 'model_refused', 'The model provider refused the request. Please contact us.', cause);
  }
  if (status === 400 || status === 413 || status === 422) {
    return failure(502, 'model_refused', 'The model could not take this picture.', cause);
  }
  return failure(502, 'model_failed', 'The model provider gave no usable answer. Please try again.', cause);
}

function failure(status: number, code: string, message: string, cause?: unknown): FunctionError {
  return new FunctionError(status, code, message, { cause });
}
