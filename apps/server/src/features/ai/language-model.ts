import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, type LanguageModel, RetryError } from 'ai';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';

export { generateText, streamText } from 'ai';

// The library would write its remarks on settings to the terminal.
globalThis.AI_SDK_LOG_WARNINGS = false;

export function languageModel({ provider, model, apiKey, baseUrl }: ModelSettings): LanguageModel {
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
      return createOpenAICompatible({
        ...common,
        name: 'model',
        baseURL: baseUrl!,
        includeUsage: true,
      }).chatModel(model);
  }
}

/** Refuses redirects: another host is not the provider that the operator chose. */
const stayThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

/** An error of a provider in words of ours; its own message, which may hold keys and prompts, is in the cause alone. */
export interface ModelFault {
  readonly status: number;
  readonly code: 'model_busy' | 'model_refused' | 'model_failed' | 'model_timeout';
  readonly message: string;
  readonly cause: unknown;
  readonly retryAfterSeconds?: number;
}

/** @param input the input that a provider may not take, in the middle of a sentence */
export function modelFault(error: unknown, input: string): ModelFault {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined;
  if (status === 429 || status === 503 || status === 529) {
    const message = 'The model is busy. Please try again in a minute.';
    return { status: 503, code: 'model_busy', message, cause, retryAfterSeconds: 60 };
  }
  if (status === 401 || status === 403 || status === 404) {
    const message = 'The model provider refused the request. Please contact us.';
    return { status: 502, code: 'model_refused', message, cause };
  }
  if (status === 400 || status === 413 || status === 422)
    return { status: 502, code: 'model_refused', message: `The model could not take ${input}.`, cause };
  const message = 'The model provider gave no usable answer. Please try again.';
  return { status: 502, code: 'model_failed', message, cause };
}

export function modelTimeout(cause: unknown): ModelFault {
  const message = 'The model took too long to answer. Please try again.';
  return { status: 504, code: 'model_timeout', message, cause };
}
