import { randomUUID } from 'node:crypto';
import {
  type AnsweredQuestion,
  answeredQuestion,
  answeredQuestionList,
  type RunEvent,
  type RunRequest,
} from '@cellfolio/assistant';
import { z } from 'zod';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { Owner } from '../../runtime/owners.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';

type Answered = Omit<AnsweredQuestion, 'id'>;
export type QuestionDocuments = UserDocuments<Answered>;

export interface HistoryServices {
  questions: QuestionDocuments;
  readable: Pick<ReadableDatasets, 'manifest'>;
}

/** Bytes of the body of a document. */
const maxBytes = 1024 * 1024;

/** Passes the events of a run on, and keeps its question before its end, which then names it. */
export async function* keptRun(
  events: AsyncIterable<RunEvent>,
  { question, plan, cells }: RunRequest,
  {
    questions,
    owner,
    dataset,
  }: { questions: QuestionDocuments; owner: Owner; dataset: { filename: string; version: string } },
): AsyncGenerator<RunEvent> {
  const answer: Answered = {
    question,
    asked_at: Date.now(),
    version: dataset.version,
    ...(cells && { cells }),
    plan,
    steps: [],
    sentences: [],
    cautions: [],
    struck: 0,
    usage: { input_tokens: null, output_tokens: null },
  };
  for await (const event of events) {
    if (event.kind === 'result')
      answer.steps.push({ step: event.step, tool: event.tool, calls: event.calls });
    else if (event.kind === 'sentence') answer.sentences.push(event.parts);
    else if (event.kind === 'caution')
      answer.cautions.push({ step: event.step, code: event.code, message: event.message });
    if (event.kind !== 'end') {
      yield event;
      continue;
    }
    const whole = { ...answer, struck: event.struck, usage: event.usage };
    const isKept = Buffer.byteLength(JSON.stringify(whole)) < maxBytes;
    const document = { dataset: dataset.filename, name: randomUUID(), body: whole };
    yield isKept ? { ...event, question_id: await questions.create(owner, document) } : event;
  }
}

const historyRoute: Route<HistoryServices> = async (app, { services: { questions, readable } }) => {
  const routes = documentRoutes(app, {
    tag: 'assistant',
    access: 'member',
    all: '/api/datasets/:datasetFilename/questions',
    one: '/api/questions/:questionId',
    id: z.string().max(100),
    refusals: { 404: 'No such question.' },
    dataset: ({ caller }, { filename }) => readable.manifest(caller, filename!),
  });
  const listOf = async (owner: Owner, dataset: string) => {
    const documents = await questions.list(owner, dataset);
    const all = documents.map(({ id, body }) => {
      const { question, asked_at, version } = body!;
      return { id, question, asked_at, version };
    });
    return { questions: all.toSorted((a, b) => b.asked_at - a.asked_at) };
  };
  routes.list({
    summary: 'List one’s last questions about a dataset',
    refusals: { 404: 'No such dataset.' },
    answer: answeredQuestionList,
    run: async ({ owner, dataset }) => listOf(owner, (await dataset()).id),
  });
  routes.get({
    summary: 'Read a question, its plan, its answer, and the calls that give its results again',
    answer: answeredQuestion,
    run: async ({ owner, id }) => ({ ...(await questions.get(owner, id)).body!, id }),
  });
  routes.remove({
    summary: 'Delete a question',
    answer: answeredQuestionList.describe('Those that are left of the dataset.'),
    run: async ({ owner, id }) => listOf(owner, await questions.remove(owner, id)),
  });
};

export const historyRoutes = [historyRoute];
