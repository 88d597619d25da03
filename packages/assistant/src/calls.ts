import { apiError, caution, chosenCells, namedDataset, progressEvent } from '@cellfolio/contract';
import { z } from 'zod';
import { plan } from './plan.ts';

const question = z
  .string()
  .trim()
  .min(1, 'Ask a question.')
  .max(1000, 'A question has at most 1,000 characters.')
  .describe('About the dataset, in the words of the user.');

const subject = {
  question,
  dataset: namedDataset.describe(
    'The dataset, and with `version` this version of it alone: another answers 409. It is not opened.',
  ),
  cells: chosenCells.optional(),
};

export const modelUsage = z
  .object({
    input_tokens: z.int().nullable().describe('Null where the provider does not count them.'),
    output_tokens: z.int().nullable(),
    cost: z
      .object({ amount: z.number(), currency: z.string() })
      .optional()
      .describe('By the prices that the operator set; absent without them.'),
  })
  .meta({ id: 'ModelUsage' });
export type ModelUsage = z.output<typeof modelUsage>;

const missingGenes = z
  .array(z.string())
  .describe('Words of the question that look like genes and are none of the dataset.');

const planProblem = z.object({
  step: z.string(),
  field: z.string().describe('Path of the argument; empty for the step itself.'),
  problem: z.string(),
});

/** `POST /api/assistant/plan`. */
export const planRequest = z.object(subject).strict().meta({ id: 'PlanRequest' });
export type PlanRequest = z.output<typeof planRequest>;

export const planAnswer = z
  .object({
    plan: plan.describe('Steps to approve or to edit; none where `cannot` says why.'),
    problems: z.array(planProblem).describe('Of the plan of the model, where it cannot be run.'),
    missing_genes: missingGenes,
    version: z.string().describe('Of the dataset; to be sent with the plan.'),
    usage: modelUsage,
  })
  .meta({ id: 'PlanAnswer' });
export type PlanAnswer = z.output<typeof planAnswer>;

/** `POST /api/assistant/run`. */
export const runRequest = z
  .object({ ...subject, plan: plan.describe('The plan that the user approved.') })
  .strict()
  .meta({ id: 'RunRequest' });
export type RunRequest = z.output<typeof runRequest>;

const step = z.string().describe('Its id in the plan.');
const answerPart = z.union([
  z.object({ text: z.string() }),
  z.object({
    value: z.string().describe('As it is shown.'),
    step,
    path: z
      .string()
      .describe('In the result: `/rows/0/scores` is the column `scores` of the first row of its table.'),
  }),
]);

export const replayedCall = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  // name-dictionary: by the fields of a request of ours
  body: z.record(z.string(), z.unknown()).optional(),
});
export type ReplayedCall = z.output<typeof replayedCall>;

/** An event of `POST /api/assistant/run`, the data of a server-sent event. */
export const runEvent = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('step'), step }).describe('A step begins.'),
    z.object({ kind: z.literal('progress'), step, ...progressEvent.shape }),
    z
      .object({
        kind: z.literal('result'),
        step,
        tool: z.string(),
        result: z.looseObject({}).describe('As the tool returns it, with a page of its table.'),
        calls: z.array(replayedCall).describe('The calls that were made: they give the same result again.'),
      })
      .describe('A step has ended.'),
    z.object({ kind: z.literal('refused'), step, error: apiError }).describe('A step was refused.'),
    z.object({ kind: z.literal('missing'), genes: missingGenes }),
    z
      .object({ kind: z.literal('sentence'), parts: z.array(answerPart) })
      .describe('A sentence of the answer; its numbers are values of results.'),
    z.object({ kind: z.literal('caution'), step, ...caution.shape }).describe('No sentence said it.'),
    z.object({
      kind: z.literal('end'),
      struck: z
        .int()
        .describe('Sentences left out, which had a number or a gene that no result has, or were too many.'),
      usage: modelUsage,
      question_id: z
        .string()
        .optional()
        .describe('Of the question in the history; absent where it is too long to be kept.'),
    }),
    z.object({ kind: z.literal('error'), error: apiError }).describe('The last event, in place of `end`.'),
  ])
  .meta({ id: 'RunEvent' });
export type RunEvent = z.output<typeof runEvent>;

/** Refusal of users without the plan. */
export const modelPlanOnly = 'The assistant is available for Professional plan users only.';

export const modelRecipient = z.object({
  provider: z.string(),
  model: z.string(),
  host: z.string().describe('The host that questions, names and results are sent to.'),
});

/** `GET /api/assistant/consent`. */
export const modelConsent = modelRecipient
  .extend({
    consented: z.boolean().describe('Whether own data may be sent there.'),
  })
  .meta({ id: 'ModelConsent' });
export type ModelConsent = z.output<typeof modelConsent>;

/** `POST /api/assistant/consent`. */
export const consentRequest = z
  .object({
    provider: z.string().max(200),
    model: z.string().max(200),
    host: z.string().max(300),
    consented: z.boolean().describe('False withdraws it.'),
  })
  .strict()
  .meta({ id: 'ConsentRequest' });

const questionHead = z.object({
  id: z.string(),
  question: z.string(),
  asked_at: z.int().describe('Milliseconds since 1970.'),
  version: z.string().describe('Of the dataset.'),
});

/** `GET /api/datasets/{dataset}/questions`. */
export const answeredQuestionList = z
  .object({ questions: z.array(questionHead).describe('The newest first.') })
  .meta({ id: 'AnsweredQuestionList' });
export type AnsweredQuestionList = z.output<typeof answeredQuestionList>;

/** `GET /api/questions/{id}`. */
export const answeredQuestion = questionHead
  .extend({
    cells: chosenCells.optional(),
    plan,
    steps: z
      .array(z.object({ step, tool: z.string(), calls: z.array(replayedCall) }))
      .describe('Those that gave a result, with the calls that give it again, without a model.'),
    sentences: z.array(z.array(answerPart)),
    cautions: z.array(z.object({ step, ...caution.shape })),
    struck: z.int(),
    usage: modelUsage,
  })
  .meta({ id: 'AnsweredQuestion' });
export type AnsweredQuestion = z.output<typeof answeredQuestion>;
