import { Readable } from 'node:stream';
import {
  consentRequest,
  modelConsent,
  modelPlanOnly,
  planAnswer,
  planRequest,
  type RunEvent,
  runRequest,
} from '@cellfolio/assistant';
import { type Database, type LimiterFactory, NotAdmitted } from '@cellfolio/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { ModelSettings } from '../../runtime/functions/functions-settings.ts';
import { credentialsOf, memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { limits } from '../../runtime/limits/limits.ts';
import { ownerOf } from '../../runtime/owners.ts';
import type { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import { inProcess, loadToolbox } from '../assistant-tools/index.ts';
import { subscriptionOf } from '../billing/index.ts';
import { isOwn } from '../catalogue/index.ts';
import { type ConsentDocuments, ModelConsents } from './consents.ts';
import { type DatasetWords, describeDataset, type ToolCaller } from './dataset-words.ts';
import { assistantModel, recipientOf, UsageCount } from './model.ts';
import { historyRoutes, keptRun, type QuestionDocuments } from './history.ts';
import { checkPlan, planQuestion } from './planning.ts';
import { runPlan } from './running.ts';

export interface AssistantServices {
  assistant: {
    /** Undefined without a model, and where the operator has switched the assistant off. */
    model: ModelSettings | undefined;
    siteKey: string;
    database: Database;
    trialDays: number;
    makeLimiter: LimiterFactory;
    consents: ConsentDocuments;
  };
  progress: Pick<ProgressHub, 'watch'>;
  questions: QuestionDocuments;
}

type Assistant = AssistantServices['assistant'];

const hour = 3600;

/** Limits of one user. */
class CallLimits {
  readonly #hourly: ReturnType<LimiterFactory>;
  readonly #running = new Map<string, number>();

  constructor(makeLimiter: LimiterFactory) {
    this.#hourly = makeLimiter({
      keyPrefix: 'assistant',
      points: limits.assistantCalls.value,
      duration: hour,
    });
  }

  /** Takes a place until the connection of the reply closes. Throws NotAdmitted. */
  async admit(userId: string, reply: FastifyReply): Promise<void> {
    const running = this.#running.get(userId) ?? 0;
    if (running >= limits.assistantCallsAtOnce.value)
      throw new NotAdmitted(
        'user',
        'The assistant is at work for you. Wait for its answer, or cancel it.',
        5,
      );
    this.#running.set(userId, running + 1);
    reply.raw.once('close', () => {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
    });
    try {
      await this.#hourly.consume(userId);
    } catch (cause) {
      if (!(cause instanceof RateLimiterRes)) throw cause;
      const message =
        'You have reached the maximum number of questions to the assistant per hour. Try again later.';
      throw new NotAdmitted('user', message, Math.max(1, Math.ceil(cause.msBeforeNext / 1000)));
    }
  }
}

/** Refuses before the body is read. Throws ApiFailure 403 without the plan, and 404 where there is no assistant. */
function requireAssistant({ database, trialDays, model }: Assistant) {
  return async (request: FastifyRequest): Promise<void> => {
    const subscription = await subscriptionOf(database, memberOf(request).userId, { trialDays });
    if (subscription?.tier !== 'Professional')
      throw new ApiFailure(403, 'professional_plan_required', modelPlanOnly);
    if (model) return;
    const message =
      'This server has no assistant: no model is configured, or it is switched off (ASSISTANT).';
    throw new ApiFailure(404, 'assistant_off', message);
  };
}

/** Data that others cannot read may be sent with the consent of its user alone. Throws ApiFailure 403. */
async function requireConsent(
  { model, consents }: Assistant,
  request: FastifyRequest,
  { dataset, hasOwnColumns }: DatasetWords,
): Promise<void> {
  if (!isOwn(dataset.filename) && !hasOwnColumns) return;
  const recipient = recipientOf(model!);
  if (await new ModelConsents(consents).has(ownerOf(memberOf(request)), recipient)) return;
  throw new ApiFailure(
    403,
    'consent_needed',
    `Names and results of your own data would be sent to the model ${recipient.model} at ${recipient.host}. Agree to it first.`,
    { details: recipient },
  );
}

async function toolCaller(
  app: Parameters<typeof inProcess>[0],
  { siteKey }: Assistant,
  request: FastifyRequest,
): Promise<ToolCaller> {
  const { host, ip: address, clientGone: signal } = request;
  const api = inProcess(app, { siteKey, address, host }, credentialsOf(request));
  return { toolbox: await loadToolbox(), api, signal };
}

async function* eventStream(events: AsyncIterable<RunEvent>): AsyncGenerator<string> {
  // Tells the client at once that the stream is open.
  yield ': open\n\n';
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}

const assistantRoute: Route<AssistantServices> = async (app, { services }) => {
  const { assistant, progress, questions } = services;
  const calls = new CallLimits(assistant.makeLimiter);
  const model = assistant.model && assistantModel(assistant.model);
  const onRequest = requireAssistant(assistant);
  const refusals = {
    403: 'No Professional plan, or own data without a consent.',
    404: 'No such dataset, or no assistant.',
    409: 'The dataset has been replaced.',
    429: 'Too many questions.',
    502: 'The model gave no usable answer.',
    504: 'The model took too long.',
  };
  app.post(
    '/api/assistant/plan',
    {
      config: { access: 'member', scope: 'analyse', refusals },
      onRequest,
      schema: {
        summary: 'Plan the steps that answer a question about a dataset',
        tags: ['assistant'],
        body: planRequest,
        response: { 200: planAnswer },
      },
    },
    async (request, reply) => {
      await calls.admit(memberOf(request).userId, reply);
      const caller = await toolCaller(app, assistant, request);
      return planQuestion(request.body, {
        caller,
        model: model!,
        count: new UsageCount(assistant.model!.price),
        admit: (words) => requireConsent(assistant, request, words),
      });
    },
  );
  app.post(
    '/api/assistant/run',
    {
      config: { access: 'member', scope: 'analyse', streams: true, refusals },
      compress: false,
      onRequest,
      schema: {
        summary: 'Run a plan, and answer by its results as server-sent events',
        tags: ['assistant'],
        produces: ['text/event-stream'],
        body: runRequest,
      },
    },
    async (request, reply) => {
      const { userId } = memberOf(request);
      const { question, dataset, plan } = request.body;
      await calls.admit(userId, reply);
      const caller = await toolCaller(app, assistant, request);
      const described = await describeDataset(caller, dataset, question);
      await requireConsent(assistant, request, described);
      if (plan.steps.length === 0)
        throw new ApiFailure(400, 'plan_without_steps', 'plan.steps: Give at least one step.');
      const { problems, words } = await checkPlan(caller, described, plan);
      if (problems.length > 0) {
        const [{ step, field, problem }] = problems as [(typeof problems)[number]];
        const message = `The plan cannot be run. ${[step, field].filter((one) => one !== '').join(', ')}: ${problem}`;
        throw new ApiFailure(400, 'plan_problems', message, { details: problems });
      }
      const count = new UsageCount(assistant.model!.price);
      const events = runPlan(request.body, { caller, userId, words, model: model!, count, progress });
      const owner = ownerOf(memberOf(request));
      const stored = keptRun(events, request.body, { questions, owner, dataset: words.dataset });
      reply.header('cache-control', 'no-store').type('text/event-stream');
      return reply.send(Readable.from(eventStream(stored)));
    },
  );
};

const consentRoute: Route<AssistantServices> = async (app, { services: { assistant } }) => {
  const onRequest = requireAssistant(assistant);
  const stateOf = async (request: FastifyRequest) => {
    const recipient = recipientOf(assistant.model!);
    const consents = new ModelConsents(assistant.consents);
    return { ...recipient, consented: await consents.has(ownerOf(memberOf(request)), recipient) };
  };
  const refusals = { 403: 'No Professional plan.', 404: 'No assistant.' };
  app.get(
    '/api/assistant/consent',
    {
      config: { access: 'member', scope: 'read', refusals },
      onRequest,
      schema: {
        summary: 'Read who is sent questions and results, and whether own data may be',
        tags: ['assistant'],
        response: { 200: modelConsent },
      },
    },
    stateOf,
  );
  app.post(
    '/api/assistant/consent',
    {
      // A person agrees, not a program with a key.
      config: { access: 'session', refusals: { ...refusals, 409: 'The operator has chosen another model.' } },
      onRequest,
      schema: {
        summary: 'Agree that own data is sent to the model, or withdraw it',
        tags: ['assistant'],
        body: consentRequest,
        response: { 200: modelConsent },
      },
    },
    async (request) => {
      const { consented, ...agreed } = request.body;
      const recipient = recipientOf(assistant.model!);
      if (
        JSON.stringify([agreed.provider, agreed.model, agreed.host]) !==
        JSON.stringify(Object.values(recipient))
      ) {
        const message = `The model is ${recipient.model} at ${recipient.host} now. Read that, then decide again.`;
        throw new ApiFailure(409, 'model_changed', message, { details: recipient });
      }
      await new ModelConsents(assistant.consents).set(ownerOf(memberOf(request)), recipient, consented);
      return stateOf(request);
    },
  );
};

export const assistantRoutes = [assistantRoute, consentRoute, ...historyRoutes];
