import type { Plan, ReplayedCall, RunEvent } from '@cellfolio/assistant';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { startTestServer } from '../../testing/running-server.ts';
import {
  assistantClient,
  type AssistantServer,
  eventsIn,
  planText,
  sentencesOf,
  startAssistantServer,
} from './testing/assistant-server.ts';

let world: AssistantServer;
let ada: ReturnType<typeof assistantClient>;
beforeAll(async () => {
  world = await startAssistantServer(async ({ objectRoot }, own) => {
    for (const id of ['cells.h5ad', own.ada, own.carol])
      // oxlint-disable-next-line no-await-in-loop -- few
      await writeAnalysisDataset(objectRoot, id);
  });
  ada = assistantClient(world, 'ada');
});
afterAll(() => world?.close());
afterEach(() => {
  world.model.script = undefined;
  world.model.instead = undefined;
  world.model.received.length = 0;
});

const cells = {
  question: 'Which genes mark the T cells, and is FOXP3 there?',
  dataset: { filename: 'cells.h5ad' },
};
const markers = {
  tool: 'analyze_markers',
  arguments: { groupby: 'cell_type', pvals_adj: 1, logfoldchanges: -100 },
};
const planOf = (...steps: Parameters<typeof planText>): Plan => JSON.parse(planText(...steps));
const kinds = (events: readonly RunEvent[]) => events.map(({ kind }) => kind);

describe('a plan', () => {
  test('is that of the model, of the open version, with its tokens and their cost', async () => {
    world.model.script = () => planText(markers);
    const answer = await ada.planned(cells);
    expect(answer).toEqual({
      plan: planOf(markers),
      problems: [],
      missing_genes: ['FOXP3'],
      version: (await ada.api.get('/api/dataset_analysis/cells.h5ad')).body.version,
      usage: { input_tokens: 1, output_tokens: 1, cost: { amount: 12e-6, currency: 'USD' } },
    });
  });

  test('is mended once, by its problems', async () => {
    const texts = ['Well…', planText(markers)];
    world.model.script = () => texts.shift()!;
    const { plan, problems } = await ada.planned(cells);
    expect([plan.steps.length, problems]).toEqual([1, []]);
    const turns = world.model.received[1]!.body.messages as { role: string; content: string }[];
    expect(turns.slice(2).map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(turns.at(-1)!.content).toContain('Write one JSON object');
  });

  test('that stays impossible has no steps, and its problems', async () => {
    world.model.script = () => planText({ tool: 'analyze_markers', arguments: { groupby: 'nothing' } });
    const { plan, problems } = await ada.planned(cells);
    expect(plan).toMatchObject({ steps: [], cannot: expect.stringContaining('No plan') });
    expect(problems).toMatchObject([{ step: 's1', field: 'groupby' }]);
    expect(problems[0]!.problem).toContain('There are: ');
    expect(world.model.received).toHaveLength(2);
  });

  test('without steps says why', async () => {
    world.model.script = () => JSON.stringify({ steps: [], cannot: 'There is no survival data.' });
    const { plan } = await ada.planned(cells);
    expect(plan).toEqual({ steps: [], cannot: 'There is no survival data.' });
  });

  test('is made of the tools, without the dataset, and of the data inside of a fence', async () => {
    world.model.script = () => planText(markers);
    await ada.plan(cells);
    const [system, user] = world.model.received[0]!.body.messages as { content: string }[];
    const tools = JSON.parse(/^Tools: (.*)$/m.exec(system!.content)![1]!) as {
      name: string;
      arguments: { properties: object };
    }[];
    expect(tools.map(({ name }) => name)).toContain('analyze_comparison');
    for (const tool of tools) {
      expect(Object.keys(tool.arguments.properties)).not.toContain('dataset');
      expect(Object.keys(tool.arguments.properties)).not.toContain('cells');
    }
    expect(user!.content).toMatch(/^DATA-\S+\n\{.*\}\nDATA-\S+\n\nThe biologist asks: /);
    expect(JSON.stringify(world.model.received[0]!.body)).not.toContain(world.own.carol);
  });
});

describe('a run', () => {
  const run = { ...cells, plan: planOf(markers) };

  test('reports its steps, answers in sentences whose numbers are values of results, and ends with its cost', async () => {
    world.model.script = () =>
      [
        'The gene [[s1:/rows/0/names]] leads with a score of [[s1:/rows/0/scores]].',
        'It is found in 90% of the cells.',
        'The dataset has [[s1:/rows/9999/scores]] more.',
        'GNLY is high.',
      ].join(' ');
    const events = await ada.events(run);
    expect(kinds(events).filter((kind) => kind !== 'progress' && kind !== 'caution')).toEqual([
      'missing',
      'step',
      'result',
      'sentence',
      'end',
    ]);
    const result = events.find((event) => event.kind === 'result')!;
    const { rows } = result.result['table'] as { rows: [string, string, number][] };
    const [, gene, score] = rows[0]!;
    expect(sentencesOf(events)).toEqual([
      `The gene ${gene} leads with a score of ${Number(score.toPrecision(3))}.`,
    ]);
    expect(events.find((event) => event.kind === 'sentence')!.parts).toContainEqual({
      value: gene,
      step: 's1',
      path: '/rows/0/names',
    });
    expect(events[0]).toEqual({ kind: 'missing', genes: ['FOXP3'] });
    expect(events.at(-1)).toEqual({
      kind: 'end',
      question_id: expect.any(String),
      struck: 3,
      usage: { input_tokens: 1000, output_tokens: 100, cost: { amount: 0.003, currency: 'USD' } },
    });
  });

  test('says each caution of its results once, by the model or by code', async () => {
    world.model.script = () => 'Mind this: [[s1:/warnings/0/message]]';
    const events = await ada.events(run);
    const { warnings } = events.find((event) => event.kind === 'result')!.result as {
      warnings: { code: string; message: string }[];
    };
    expect(warnings.length).toBeGreaterThan(0);
    const shown = JSON.stringify(events.filter(({ kind }) => kind === 'sentence' || kind === 'caution'));
    for (const { message } of warnings) expect(shown.split(JSON.stringify(message)).length).toBe(2);
  });

  test('can be replayed without a model, with the same numbers', async () => {
    world.model.script = () => 'It is so.';
    const events = await ada.events({ ...run, cells: { subset: { subset_group_name: 'Default' } } });
    const { calls, result } = events.find((event) => event.kind === 'result')!;
    world.model.received.length = 0;
    expect(calls).toHaveLength(1);
    const { method, path, body } = calls[0]!;
    const again = await ada.api.send(method, path, body);
    expect(again.status).toBe(200);
    const { rows } = result['table'] as { rows: [string, string, number][] };
    const csv = parse(again.body.marker_csv as string, { comment: '#', comment_no_infix: true, from: 2 });
    expect(rows.length).toBeGreaterThan(10);
    expect(csv.slice(0, rows.length).map((cells) => Number(cells[2]))).toEqual(rows.map((row) => row[2]));
    expect(world.model.received).toEqual([]);
  });

  test('goes on behind a step that is refused', async () => {
    world.model.script = () => 'It is so.';
    const plan = planOf(
      { tool: 'analyze_markers', arguments: { groupby: 'leiden', selection: { version: 'x', places: '' } } },
      markers,
    );
    const events = await ada.events({ ...cells, plan });
    expect(kinds(events)).toEqual(expect.arrayContaining(['refused', 'result', 'sentence', 'end']));
  });

  test('has its results and cautions where the model fails', async () => {
    world.model.instead = (response) => void response.writeHead(500).end('{"error":{"message":"secret"}}');
    const events = await ada.events(run);
    expect(kinds(events)).toEqual(expect.arrayContaining(['result', 'caution', 'error']));
    expect(events.at(-1)).toMatchObject({ error: { code: 'model_failed' } });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('is refused for a plan that does not fit the data', async () => {
    const wrong = planOf({ tool: 'analyze_markers', arguments: { groupby: 'nothing' } });
    const { status, body } = await ada.run({ ...cells, plan: wrong });
    expect([status, body.code]).toEqual([400, 'plan_problems']);
    expect(body.message).toContain('s1, groupby: There is no column "nothing".');
    const empty = await ada.run({ ...cells, plan: { steps: [], cannot: 'x' } });
    expect([empty.status, empty.body.code]).toEqual([400, 'plan_without_steps']);
    expect(world.model.received).toEqual([]);
  });

  test('is of the version of the plan', async () => {
    const { status, body } = await ada.run({ ...run, dataset: { filename: 'cells.h5ad', version: 'older' } });
    expect([status, body.code]).toEqual([409, 'dataset_changed']);
  });

  test('ends with its client, and so does the request to the model', async () => {
    world.model.instead = () => {};
    const before = world.model.left;
    const gone = new AbortController();
    const answer = await fetch(`${world.server.siteUrl}/api/assistant/run`, {
      method: 'POST',
      headers: { ...world.server.headers(world.tokens.ada), 'content-type': 'application/json' },
      body: JSON.stringify(run),
      signal: gone.signal,
    });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of answer.body!) text += decoder.decode(piece, { stream: true });
    })().catch(() => undefined);
    await expect.poll(() => world.model.received.length).toBe(1);
    expect(kinds(eventsIn(text))).toContain('result');
    gone.abort();
    await reading;
    await expect.poll(() => world.model.left).toBe(before + 1);
  });
});

describe('the history of a dataset', () => {
  const listed = async (id = 'cells.h5ad') =>
    (await ada.api.get(`/api/datasets/${id}/questions`)).body.questions;

  test('keeps each answer, with the calls that give the same numbers without a model', async () => {
    world.model.script = () => 'The gene [[s1:/rows/0/names]] scores [[s1:/rows/0/scores]]. It is 7.';
    const events = await ada.events({ ...cells, plan: planOf(markers) });
    const { question_id: id } = events.find((event) => event.kind === 'end')!;
    expect((await listed())[0]).toMatchObject({ id, question: cells.question });
    const { body } = await ada.api.get(`/api/questions/${id}`);
    expect(body).toMatchObject({
      plan: planOf(markers),
      struck: 1,
      steps: [{ step: 's1', tool: 'analyze_markers' }],
    });
    const [{ value: gene }, , { value: score }] = body.sentences[0].slice(1);
    const replayed = await Promise.all(
      body.steps[0].calls.map(({ method, path, body: sent }: ReplayedCall) =>
        ada.api.send(method, path, sent),
      ),
    );
    const [[, symbol, number]] = parse(replayed[0].body.marker_csv, {
      comment: '#',
      comment_no_infix: true,
      from: 2,
    }) as [[string, string, string]];
    expect([gene, score]).toEqual([symbol, String(Number(Number(number).toPrecision(3)))]);
    expect(body.steps[0].calls[0].body.dataset).toEqual({ filename: 'cells.h5ad', version: body.version });
  });

  test('is that of its user, who can delete from it', async () => {
    const [{ id }] = await listed();
    const carol = assistantClient(world, 'carol');
    expect((await carol.api.get('/api/datasets/cells.h5ad/questions')).body.questions).toEqual([]);
    for (const method of ['GET', 'DELETE'])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await carol.api.send(method, `/api/questions/${id}`)).status).toBe(404);
    const before = await listed();
    const { body } = await ada.api.send('DELETE', `/api/questions/${id}`);
    expect(body.questions).toEqual(before.slice(1));
  });
});

describe('the rights of a caller', () => {
  const own = () => ({ ...cells, dataset: { filename: world.own.ada } });

  test('are those of the Professional plan', async () => {
    const bob = assistantClient(world, 'bob');
    for (const { status, body } of [
      await bob.plan(cells),
      await bob.run({}),
      await bob.api.get('/api/assistant/consent'),
    ])
      expect([status, body.code]).toEqual([403, 'professional_plan_required']);
  });

  test('leave out the datasets of others', async () => {
    const carol = assistantClient(world, 'carol');
    await carol.consent();
    for (const { status } of [await carol.plan(own()), await carol.run({ ...own(), plan: planOf(markers) })])
      expect(status).toBe(404);
    expect(world.model.received).toEqual([]);
  });

  test('to send own data to a model need a consent to this model, which can be withdrawn', async () => {
    world.model.script = (body) => (body.stream ? 'It is so.' : planText(markers));
    const run = { ...own(), plan: planOf(markers) };
    for (const { status, body } of [await ada.plan(own()), await ada.run(run)])
      expect([status, body.code, body.details]).toEqual([
        403,
        'consent_needed',
        { provider: 'openai-compatible', model: 'scripted', host: new URL(world.model.url).host },
      ]);
    expect(world.model.received).toEqual([]);
    expect((await ada.consent()).body.consented).toBe(true);
    expect((await ada.planned(own())).plan.steps).toHaveLength(1);
    expect(kinds(await ada.events(run))).toContain('sentence');
    await ada.consent(false);
    expect((await ada.plan(own())).body.code).toBe('consent_needed');
  });

  test('to agree are those of a person who reads which model it is', async () => {
    const other = { provider: 'openai', model: 'other', host: 'x', consented: true };
    const { status, body } = await ada.api.post('/api/assistant/consent', other);
    expect([status, body.code]).toEqual([409, 'model_changed']);
    const key = await world.server.newKey(world.tokens.ada, ['read', 'analyse']);
    const refused = await ada.api.post('/api/assistant/consent', other, { 'x-api-key': key });
    expect([refused.status, refused.body.code]).toEqual([403, 'session_required']);
  });

  test('are those of the scopes of a key', async () => {
    const key = await world.server.newKey(world.tokens.ada, ['read']);
    const { status, body } = await ada.api.post('/api/assistant/plan', cells, { 'x-api-key': key });
    expect([status, body.code]).toEqual([403, 'scope_missing']);
  });

  test('to know the model are those of everybody, with the settings', async () => {
    expect(world.server.config.assistant).toEqual({
      provider: 'openai-compatible',
      model: 'scripted',
      host: new URL(world.model.url).host,
    });
  });
});

test('an operator switches it off', async () => {
  const model = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm', AI_BASE_URL: world.model.url };
  const server = await startTestServer({ ...model, ASSISTANT: 'false' }, async () => {});
  try {
    expect(server.config.assistant).toBeUndefined();
    const headers = server.headers(await server.signIn('professional'));
    const answer = await fetch(`${server.siteUrl}/api/assistant/consent`, { headers });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'assistant_off']);
  } finally {
    await server.close();
  }
});
