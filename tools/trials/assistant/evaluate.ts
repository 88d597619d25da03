import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { planAnswer, runEvent } from '@cellfolio/assistant';
import { makeUsers, signIn } from '../../../bench/src/server/load-users.ts';
import { startServer } from '../../../bench/src/server/running-server.ts';
import type { Question } from './question.ts';
import { type Exchange, type Score, scoreOf } from './score.ts';
import {
  filenameOf,
  publishStudy,
  simulateStudy,
  type Study,
  type StudyName,
  studyNames,
} from './studies.ts';

/** Calls of the assistant that a user may make in an hour are 60, two for a question. */
const questionsOfAccount = 25;

export interface EvaluationServer {
  readonly address: string;
  /** Professional users. */
  readonly accounts: readonly Readonly<Record<string, string>>[];
  readonly studies: ReadonlyMap<StudyName, Study>;
  stop(): Promise<void>;
}

/**
 * A server of its own on the simulated studies. @param model settings of the environment, as the server takes them
 * @param questionCount how many questions the accounts are enough for
 */
export async function startEvaluationServer(
  dataDir: string,
  model: Readonly<Record<string, string>>,
  questionCount: number,
): Promise<EvaluationServer> {
  await mkdir(join(dataDir, 'objects'), { recursive: true });
  const studies = new Map(studyNames.map((name) => [name, simulateStudy(name)]));
  for (const study of studies.values()) await publishStudy(dataDir, study);
  const emails = await makeUsers({ dataDir }, Math.ceil(questionCount / questionsOfAccount), 'Professional');
  const server = await startServer(dataDir, model);
  try {
    const accounts: Readonly<Record<string, string>>[] = [];
    for (const email of emails) accounts.push((await signIn(server.address, email, 'evaluation')).headers);
    return { address: server.address, accounts, studies, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Puts each question to the assistant, one after the other. @param from place of the first account to use */
export async function evaluate(
  { address, accounts, studies }: Omit<EvaluationServer, 'stop'>,
  questions: readonly Question[],
  { from = 0, onScore }: { from?: number; onScore?: (score: Score, at: number) => void } = {},
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const [at, question] of questions.entries()) {
    const headers = accounts[from + Math.floor(at / questionsOfAccount)]!;
    const exchange = await put(question, { address, headers });
    const score = scoreOf(question, studies.get(question.dataset)!, exchange);
    scores.push(score);
    onScore?.(score, at);
  }
  return scores;
}

interface Caller {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws where the server refuses, but not where the model fails. */
async function put({ question, dataset }: Question, caller: Caller): Promise<Exchange> {
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  const subject = { question, dataset: { filename: filenameOf(dataset) } };
  const answer = await textOf(caller, '/api/assistant/plan', subject);
  if (answer === undefined) return { seconds: since() };
  const { plan, usage, version } = planAnswer.parse(JSON.parse(answer));
  if (plan.steps.length === 0) return { plan: { plan, usage }, seconds: since() };
  const run = { question, dataset: { ...subject.dataset, version }, plan };
  const text = (await textOf(caller, '/api/assistant/run', run)) ?? '';
  const events = Array.from(text.matchAll(/^data: (.*)$/gm), ([, json]) => runEvent.parse(JSON.parse(json!)));
  return { plan: { plan, usage }, events, seconds: since() };
}

/** Statuses of a model that fails or is too slow. */
const ofModel = new Set([502, 503, 504]);

/** Undefined where the model failed. */
async function textOf({ address, headers }: Caller, path: string, body: object): Promise<string | undefined> {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (ofModel.has(answer.status)) return undefined;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}
