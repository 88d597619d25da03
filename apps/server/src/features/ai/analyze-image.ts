import type { Caller } from '../../runtime/owners.ts';
import { subscriptionOf } from '../billing/index.ts';
import type { ServerFigures } from './image-source.ts';
import { FunctionError, userOf } from '@cellfolio/platform';
import { jsonOf } from '../../runtime/functions/functions-context.ts';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import { readFigureSource } from '@cellfolio/contract';
import { type FigureNumbers, numbersOf, summariseFigure } from '@cellfolio/figures/words';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { figurePrompt } from './figure-prompt.ts';
import { imageOf, maxImageBytes } from './image-source.ts';
import type { ModelAnalysis } from './model-analysis.ts';

interface AnalysisContext extends FunctionsContext {
  /** Figures that this server draws; absent when it draws none. */
  serverFigures: ServerFigures | undefined;
}

const question = z.object({
  imageUrl: z.string().min(1, 'Give the picture.'),
  filename: z.string().max(1000).default(''),
  prompt: z.string().max(4000).default(''),
  figure: z.unknown().optional(),
  /** Identifies the figure, as the plot calls return it; used when there is no spec. */
  source: z.unknown().optional(),
});

/** A base64 picture plus a spec of a few hundred groups. */
const bodyLimit = Math.ceil(maxImageBytes / 3) * 4 + 2 * 1024 * 1024;

const summaryLabel = "Summary computed from the figure's numbers; no model is configured";
const modelLabel = 'Written by a model from the figure and its numbers; check it before you use it';

/**
 * `analyze-image`: describes a figure, for Professional users. With a model, the model describes it from the picture
 * and the figure's numbers; without one the answer is a summary computed from the numbers and labelled so.
 */
export async function analyzeImage(app: FastifyInstance, context: AnalysisContext): Promise<void> {
  const { settings, limits, serverFigures } = context;
  const model = await modelOf(settings);
  const onRequest = (request: FastifyRequest) => requireProfessional(context, userOf(request).id);
  app.post('/analyze-image', { onRequest, bodyLimit }, async (request, reply) => {
    const { imageUrl, filename, prompt, figure, source } = jsonOf(request, question);
    const user = userOf(request);
    const signal = untilGone(reply);
    await limits.countAnalysis(user.id);
    return limits.limitConcurrency(user.id, async () => {
      const origins = [context.publicUrl, context.siteUrl, `${request.protocol}://${request.host}`];
      const image = await imageOf(imageUrl, {
        serverFigures,
        origins: origins.flatMap((address) => URL.parse(address)?.origin ?? []),
        signal,
      });
      const numbers =
        numbersOf(figure) ??
        numbersOf(image.figure) ??
        (await drawnAgain(context, source, { userId: user.id }, signal));
      if (!model) return summary(numbers);
      const analysis = await model.analyse(figurePrompt({ filename, prompt, numbers }), image, signal);
      return { analysis, kind: 'model', label: modelLabel, model: settings.model?.model };
    });
  });
}

// What an installation does not use is not loaded: the clients of models take time and memory to start.
async function modelOf({ model }: FunctionsContext['settings']): Promise<ModelAnalysis | undefined> {
  if (!model) return undefined;
  const { createModelAnalysis } = await import('./model-analysis.ts');
  return createModelAnalysis(model);
}

/** Throws FunctionError 403, before the body is read. */
async function requireProfessional(
  { database, settings, now }: FunctionsContext,
  userId: string,
): Promise<void> {
  const { trialDays } = settings;
  const subscription = await subscriptionOf(database, userId, { trialDays, now: new Date(now()) });
  if (subscription?.tier === 'Professional') return;
  throw new FunctionError(
    403,
    'professional_plan_required',
    'Professional Plan Required: AI analysis is available for Professional plan users only.',
  );
}

function summary(numbers: FigureNumbers | undefined) {
  if (!numbers) {
    throw new FunctionError(
      422,
      'no_numbers',
      'No model is configured on this server, and this image has no figure data. Draw the figure again and analyze that one.',
    );
  }
  return {
    analysis: `${summariseFigure(numbers)}\n\n${summaryLabel}.`,
    kind: 'summary',
    label: summaryLabel,
  };
}

/** Numbers of the figure that `source` identifies, if it can be drawn here. */
async function drawnAgain(
  { serverFigures, log }: AnalysisContext,
  source: unknown,
  caller: Caller,
  signal: AbortSignal,
): Promise<FigureNumbers | undefined> {
  const named = readFigureSource(source);
  if (!serverFigures || named === undefined) return undefined;
  try {
    return numbersOf(await serverFigures.specOf(named, caller, signal));
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'the figure of an analysis could not be drawn again');
    return undefined;
  }
}

/** Aborts when the client disconnects before the response. */
function untilGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new DOMException('The caller is gone.', 'AbortError'));
  });
  return controller.signal;
}
