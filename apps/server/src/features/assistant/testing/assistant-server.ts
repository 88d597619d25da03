import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { planAnswer, runEvent, type RunEvent } from '@cellfolio/assistant';
import type { Settings } from '../../../boot/settings/read-settings.ts';
import { ownersPassword, prepareOwners } from '../../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../../testing/running-server.ts';
import { type ModelServer, startModelServer } from '../../ai/testing/model-server.ts';

export interface AssistantServer {
  readonly server: TestServer;
  readonly model: ModelServer;
  /** Ids of the own datasets of ada and carol. */
  readonly own: Readonly<Record<'ada' | 'carol', string>>;
  /** ada and carol have the Professional plan, bob the Standard one. */
  readonly tokens: Readonly<Record<'ada' | 'bob' | 'carol', string>>;
  close(): Promise<void>;
}

/** A server whose assistant is a scripted model that speaks the protocol of openai-compatible providers. */
export async function startAssistantServer(
  datasets: (settings: Settings, own: AssistantServer['own']) => Promise<unknown>,
  environment: Record<string, string> = {},
): Promise<AssistantServer> {
  const model = await startModelServer();
  const own = { ada: '', carol: '' };
  const server = await startTestServer(
    {
      DEMO: 'false',
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: 'scripted',
      AI_BASE_URL: model.url,
      AI_PRICE: '2 10 USD',
      ...environment,
    },
    async (settings) => {
      await prepareOwners(settings.dataDir, async ({ addUser, addFile, holdJobs, database }) => {
        const row =
          'insert into cellfolio.custom_datasets (file_id, version, cells, genes) values ($1, $2, 240, 100)';
        for (const name of ['ada', 'carol'] as const) {
          // oxlint-disable-next-line no-await-in-loop -- few
          const file = await addFile(await addUser(name, 'Professional'), `${name}.h5ad`);
          // oxlint-disable-next-line no-await-in-loop -- few
          await database.pool.query(row, [file, 'v']);
          own[name] = `custom:${file}`;
        }
        await addUser('bob', 'Standard');
        await holdJobs();
      });
      await datasets(settings, own);
    },
  );
  const tokenOf = (name: string) => server.signInAs(`${name}@example.org`, ownersPassword);
  const [ada, bob, carol] = await Promise.all(['ada', 'bob', 'carol'].map(tokenOf));
  return {
    server,
    model,
    own,
    tokens: { ada: ada!, bob: bob!, carol: carol! },
    close: async () => {
      await server.close();
      await model.close();
    },
  };
}

/** Calls of one user. */
export function assistantClient({ server, tokens }: AssistantServer, name: keyof AssistantServer['tokens']) {
  const api = apiClient(server, tokens[name], 'assistant');
  return {
    api,
    plan: (body: object) => api.post('/api/assistant/plan', body),
    /** The plan of an answer with the status 200. */
    planned: async (body: object) => planAnswer.parse((await api.post('/api/assistant/plan', body)).body),
    run: (body: object) => api.post('/api/assistant/run', body),
    /** The events of a run with the status 200. */
    events: async (body: object): Promise<RunEvent[]> => {
      const { status, body: bytes } = await api.post('/api/assistant/run', body);
      const text = status === 200 ? new TextDecoder().decode(bytes) : JSON.stringify(bytes);
      if (status !== 200) throw new Error(`The run was answered with ${status}: ${text}`);
      return eventsIn(text);
    },
    consent: async (consented = true) => {
      const { provider, model, host } = (await api.get('/api/assistant/consent')).body;
      return api.post('/api/assistant/consent', { provider, model, host, consented });
    },
  };
}

/** Begins a run on a connection of its own, which the caller can destroy. */
export async function openRun(
  { server, tokens }: AssistantServer,
  name: keyof AssistantServer['tokens'],
  body: object,
): Promise<ClientRequest> {
  const headers = { ...server.headers(tokens[name]), 'content-type': 'application/json' };
  const sent = request(`${server.siteUrl}/api/assistant/run`, { method: 'POST', headers, agent: false });
  sent.end(JSON.stringify(body));
  await once(sent, 'response');
  return sent.on('error', () => undefined);
}

export function eventsIn(text: string): RunEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => runEvent.parse(JSON.parse(json!)));
}

/** The sentences of an answer as a reader has them. */
export function sentencesOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'sentence'
      ? [event.parts.map((part) => ('value' in part ? part.value : part.text)).join('')]
      : [],
  );
}

export const planText = (...steps: { tool: string; arguments: object }[]): string =>
  JSON.stringify({
    steps: steps.map((step, at) => Object.assign({ id: `s${at + 1}`, purpose: 'It answers.' }, step)),
    cannot: null,
  });
