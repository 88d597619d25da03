import { FunctionError } from '@cellfolio/platform';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';
import type { FigurePrompt } from './figure-prompt.ts';
import type { ServerImage } from './image-source.ts';
import { generateText, languageModel, type ModelFault, modelFault, modelTimeout } from './language-model.ts';

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
        if (analysis === '')
          throw new FunctionError(502, 'no_analysis', 'No analysis returned from the service');
        return analysis.slice(0, maxAnswer);
      } catch (error) {
        if (error instanceof FunctionError) throw error;
        signal.throwIfAborted();
        throw failure(timeout.aborted ? modelTimeout(error) : modelFault(error, 'this picture'));
      }
    },
  };
}

function failure({ status, code, message, cause, retryAfterSeconds }: ModelFault): FunctionError {
  return new FunctionError(status, code, message, {
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
