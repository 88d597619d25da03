import type { AddressInfo } from 'node:net';
import { type Database, SmtpMailer } from '@cellfolio/platform';
import { productFunctions, setPlan } from '@cellfolio/server';
import fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { headersOf, type MailServer, startMailServer } from './mailboxes.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';
const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
const figure = {
  kind: 'gene-umap',
  version: 1,
  title: 'CD3D',
  datasetName: 'Study of <b>blood</b>',
  summary: '40 of 100 cells',
  counts: { cells: 100, datasetCells: 100, withoutPosition: 0 },
  unit: 'log-normalized expression',
  expressing: 40,
  withoutValue: 0,
  domain: { low: 0, high: 4, max: 4.25, clipped: true },
};

describe.each(databases)('on the $name database', ({ name, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let mailServer: MailServer;
  let mailer: SmtpMailer;
  let model: ChatModel;
  let server: PlatformServer;
  beforeAll(async () => {
    [opened, mailServer, model] = await Promise.all([open(), startMailServer(), startChatModel()]);
    database = opened.database;
    mailer = new SmtpMailer({ url: mailServer.url, from: 'Cellfolio <no-reply@example.org>' });
    server = await startPlatform(
      database,
      {},
      {
        mailer,
        functions: productFunctions({
          trialDays: 7,
          contactEmail: 'desk@example.org',
          model: { provider: 'openai-compatible', model: 'looker', baseUrl: model.url },
        }),
      },
    );
  });
  afterAll(async () => {
    await server?.close();
    mailer?.close();
    await mailServer?.close();
    await model?.close();
    await opened?.close();
  });
  beforeEach(() => {
    mailServer.refusal = undefined;
    mailServer.mails.length = 0;
    model.received.length = 0;
    model.says = 'Mostly T cells.';
    model.status = 200;
  });

  let people = 0;
  const signUp = async (tier: 'Professional' | 'Standard' | null, make = clientVersions[0]!.make) => {
    const client = make(server.url, server.keys.publishableKey);
    const email = `user${(people += 1)}@example.org`;
    const { data } = await client.auth.signUp({ email, password });
    if (tier) await setPlan(database, email, tier);
    return { client, email, id: data.user!.id, token: data.session!.access_token };
  };
  const refusal = async (error: unknown) => {
    expect(error).toHaveProperty('name', 'FunctionsHttpError');
    const answer = (error as { context: Response }).context;
    return { status: answer.status, ...((await answer.json()) as { code: string; error: string }) };
  };
  const raw = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/functions/v1/${path}`, {
      method: 'POST',
      headers: { apikey: server.keys.publishableKey, 'content-type': 'application/json', ...headers },
      body,
    });

  const message = { name: 'Ada Lovelace', email: 'ada@example.org', subject: 'Seats', message: 'How many?' };

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ make }) => {
    test('visitors and users can write to the operator', async () => {
      const visitor = make(server.url, server.keys.publishableKey);
      expect(await visitor.functions.invoke('send-contact-email', { body: message })).toMatchObject({
        data: { success: true },
        error: null,
      });
      const { client, id } = await signUp(null, make);
      const { error } = await client.functions.invoke('send-contact-email', {
        body: { name: 'Grace', email: 'grace@example.org', message: 'Hello' },
      });
      expect(error).toBeNull();
      expect(mailServer.mails.map(({ from, to }) => [from, ...to])).toEqual([
        ['no-reply@example.org', 'desk@example.org'],
        ['no-reply@example.org', 'desk@example.org'],
      ]);
      const [first, second] = mailServer.mails.map(({ data }) => data);
      expect(Object.fromEntries(headersOf(first!))).toMatchObject({
        'reply-to': 'Ada Lovelace <ada@example.org>',
        subject: '[Cellfolio contact] Seats',
      });
      expect(first).toContain('How many?');
      expect(second).toContain(`user ${id}`);
    });

    test('a Professional user gets the model’s analysis of image and numbers', async () => {
      const { client } = await signUp('Professional', make);
      const { data, error } = await client.functions.invoke('analyze-image', {
        body: { imageUrl: png, filename: 'cd3d.png', prompt: 'Which cells?', figure },
      });
      expect(error).toBeNull();
      expect(data).toMatchObject({ analysis: 'Mostly T cells.', kind: 'model', model: 'looker' });
      const [system, user] = model.received[0]!;
      expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('is an instruction') });
      const [text, image] = user!.content as readonly Part[];
      expect(text!.text).toContain('"expressing":40');
      expect(text!.text).toContain('Study of \\u003cb');
      expect(text!.text).toContain('Which cells?');
      expect(image!.image_url?.url).toBe(png);
    });

    test('other plans and visitors get the name of the required plan', async () => {
      const body = { imageUrl: png, filename: 'x.png', prompt: '' };
      for (const tier of ['Standard', null] as const) {
        const { client } = await signUp(tier, make);
        const { error } = await client.functions.invoke('analyze-image', { body });
        expect(await refusal(error)).toMatchObject({
          status: 403,
          code: 'professional_plan_required',
          error: expect.stringMatching(/^Professional Plan Required/),
        });
      }
      const visitor = make(server.url, server.keys.publishableKey);
      const { error } = await visitor.functions.invoke('analyze-image', { body });
      expect(await refusal(error)).toMatchObject({ status: 401 });
      expect(model.received).toEqual([]);
    });
  });

  test('the right to an analysis ends with the plan', async () => {
    const { client, email } = await signUp(null);
    const analyse = async () =>
      (await client.functions.invoke('analyze-image', { body: { imageUrl: png } })).error;
    await setPlan(database, email, 'Professional', new Date(Date.now() + 60_000));
    expect(await analyse()).toBeNull();
    await setPlan(database, email, 'Professional', new Date(Date.now() - 1000));
    expect(await refusal(await analyse())).toMatchObject({ status: 403 });
  });

  test('a message cannot inject headers, recipients or senders', async () => {
    const evil = 'x\r\nBcc: all@example.org\r\nContent-Type: text/html\r\n\r\n<b>';
    const sent = await raw(
      'send-contact-email',
      JSON.stringify({
        name: `"${evil}" <boss@example.org>`,
        email: 'ada@example.org',
        subject: evil,
        message: evil,
      }),
    );
    expect(sent.status).toBe(200);
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({ from: 'no-reply@example.org', to: ['desk@example.org'] });
    const headers = headersOf(mail!.data);
    expect(headers.filter(([header]) => header === 'bcc' || header === 'cc')).toEqual([]);
    expect(headers.filter(([header]) => header === 'content-type')).toEqual([
      ['content-type', expect.stringMatching(/^text\/plain/)],
    ]);
    expect(headers.find(([header]) => header === 'from')?.[1]).toBe('Cellfolio <no-reply@example.org>');
    for (const email of [
      'a@example.org, b@example.org',
      'a@example.org\r\nBcc: b@example.org',
      '<a@b.org>',
      '@',
      'a',
    ]) {
      const answer = await raw('send-contact-email', JSON.stringify({ ...message, email }));
      expect(answer.status).toBe(400);
    }
    expect(mailServer.mails).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['no name', { name: ' ' }],
    ['no message', { message: undefined }],
    ['no address', { email: undefined }],
    ['a message that is too long', { message: 'x'.repeat(20_001) }],
    ['a name that is too long', { name: 'x'.repeat(501) }],
    ['a list for a name', { name: ['Ada'] }],
  ])('a message with %s is refused with the name of the field', async (_case, more) => {
    const answer = await raw('send-contact-email', JSON.stringify({ ...message, ...more }));
    expect(answer.status).toBe(400);
    const { error, code } = (await answer.json()) as { error: string; code: string };
    expect(code).toBe('invalid_request');
    expect(error).toContain(Object.keys(more)[0]);
    expect(mailServer.mails).toEqual([]);
  });

  test('a refusing mail server is an error, so that the page can say that the message was only stored', async () => {
    mailServer.refusal = 'no such mailbox at secret.example.org';
    const answer = await raw('send-contact-email', JSON.stringify(message));
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain('secret.example.org');
  });

  test('messages are limited per network and in total', async () => {
    const limits = { contactPerNetwork: 2, contactPerHour: 3 };
    const limited = await startPlatform(
      database,
      { rateLimits: true, trustProxy: false },
      {
        mailer,
        functions: productFunctions({
          trialDays: 7,
          contactEmail: 'desk@example.org',
          limits,
        }),
      },
    );
    try {
      const send = () =>
        fetch(`${limited.url}/functions/v1/send-contact-email`, {
          method: 'POST',
          // Without a trusted proxy the header is ignored.
          headers: { apikey: limited.keys.publishableKey, 'x-forwarded-for': `192.0.2.${people}` },
          body: JSON.stringify(message),
        });
      const answers = await Promise.all([send(), send(), send(), send()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
      expect(mailServer.mails).toHaveLength(2);
    } finally {
      await limited.close();
    }
  });

  test('no image is fetched from an address', async () => {
    const { client } = await signUp('Professional');
    const trap = await startTripwire();
    try {
      const { host } = new URL(server.url);
      for (const imageUrl of [
        `http://127.0.0.1:${trap.port}/x.png`,
        `HTTP://LOCALHOST:${trap.port}/x.png`,
        `http://[::1]:${trap.port}/x.png`,
        `http://2130706433:${trap.port}/x.png`,
        `http://127.0.0.1.nip.io:${trap.port}/x.png`,
        `//127.0.0.1:${trap.port}/x.png`,
        `/\\127.0.0.1:${trap.port}/x.png`,
        `http://${host}@127.0.0.1:${trap.port}/x.png`,
        `${server.url}@127.0.0.1:${trap.port}/x.png`,
        `${server.url}/auth/v1/authorize?redirect_to=http://127.0.0.1:${trap.port}/`,
        `${server.url}/auth/v1/settings`,
        'file:///etc/passwd',
        'data:text/html,<img src=x>',
      ]) {
        const { error } = await client.functions.invoke('analyze-image', { body: { imageUrl, figure } });
        expect([imageUrl, (await refusal(error)).status]).toEqual([imageUrl, 400]);
      }
      expect(trap.calls()).toBe(0);
      expect(model.received).toEqual([]);
    } finally {
      await trap.close();
    }
  });

  test('a failing or empty answer of the model is an error', async () => {
    const { client } = await signUp('Professional');
    const analyse = async () =>
      refusal((await client.functions.invoke('analyze-image', { body: { imageUrl: png, figure } })).error);
    model.says = '';
    expect(await analyse()).toMatchObject({ status: 502, error: 'No analysis returned from the service' });
    model.status = 401;
    expect(await analyse()).toMatchObject({ status: 502, code: 'model_refused' });
  });

  test('a disconnected client cancels the request to the model, and at most two run per user', async () => {
    const { token } = await signUp('Professional');
    model.says = 'silence';
    const controller = new AbortController();
    const body = JSON.stringify({ imageUrl: png });
    const headers = {
      apikey: server.keys.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    };
    const requests = [1, 2].map(() =>
      fetch(`${server.url}/functions/v1/analyze-image`, {
        method: 'POST',
        headers,
        body,
        signal: controller.signal,
      }).catch((error: Error) => error.name),
    );
    await expect.poll(() => model.received.length).toBe(2);
    const third = await raw('analyze-image', body, headers);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
    const cancelled = model.cancelled;
    controller.abort();
    expect(await Promise.all(requests)).toEqual(['AbortError', 'AbortError']);
    await expect.poll(() => model.cancelled).toBe(cancelled + 2);
    model.says = 'again';
    await expect.poll(async () => (await raw('analyze-image', body, headers)).status).toBe(200);
  });

  test('without a model the analysis is a summary of the numbers, labelled as one', async () => {
    const plain = await startPlatform(database, {}, { functions: productFunctions({ trialDays: 7 }) });
    try {
      const { email } = await signUp('Professional');
      const client = clientVersions[0]!.make(plain.url, plain.keys.publishableKey);
      await client.auth.signInWithPassword({ email, password });
      const body = { imageUrl: png, filename: 'x', prompt: '', figure };
      const { data } = await client.functions.invoke('analyze-image', { body });
      const label = "Summary computed from the figure's numbers; no model is configured";
      expect(data).toMatchObject({ kind: 'summary', label, analysis: expect.stringContaining(label) });
      expect(data.analysis).toContain(
        '40 of them (40.0 %) express the gene, with a value above 0, and the highest value is 4.25.',
      );
    } finally {
      await plain.close();
    }
  });

  test('malformed and oversized bodies are client errors', async () => {
    const { token } = await signUp('Professional');
    const authorization = `Bearer ${token}`;
    const good: Record<string, object> = {
      'send-contact-email': message,
      'analyze-image': { imageUrl: png, filename: 'x', prompt: '', figure },
      'create-checkout': { plan: 'standard' },
    };
    const odd = [
      null,
      0,
      -1e300,
      '',
      '\u0000',
      '\ud800',
      [],
      {},
      '__proto__',
      'x'.repeat(50_000),
      { a: { b: [] } },
    ];
    const statusCounts = new Map<number, number>();
    for (const [path, fields] of Object.entries(good)) {
      const bodies = Object.keys(fields).flatMap((field) =>
        odd.map((value) => JSON.stringify({ ...fields, [field]: value })),
      );
      bodies.push('', '[', '{"a":', 'null', '[]', '"x"', '\u0000', `{"__proto__":{"plan":"standard"}}`);
      for (const body of bodies) {
        const { status } = await raw(path, body, { authorization });
        statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
      }
      expect((await raw(path, 'x'.repeat(300_000), { authorization })).status).toBe(
        path === 'analyze-image' ? 400 : 413,
      );
      const form = { authorization, 'content-type': 'multipart/form-data; boundary=x' };
      expect((await raw(path, '--x--', form)).status).toBe(415);
    }
    // 503: no payments are configured here, as a valid request to buy is told.
    expect([...statusCounts.keys()].filter((status) => ![200, 400, 413, 503].includes(status))).toEqual([]);
    expect(statusCounts.get(503) ?? 0).toBeLessThanOrEqual(1);
    expect((await raw('analyze-image', 'x'.repeat(11 * 1024 * 1024), { authorization })).status).toBe(413);
  });
});

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

interface ChatModel {
  url: string;
  received: { role: string; content: string | readonly Part[] }[][];
  cancelled: number;
  says: string | 'silence';
  status: number;
  close(): Promise<void>;
}

async function startChatModel(): Promise<ChatModel> {
  const app = fastify({ bodyLimit: 20 * 1024 * 1024, forceCloseConnections: true });
  const state: ChatModel & { url: string } = {
    url: '',
    received: [],
    cancelled: 0,
    says: 'Mostly T cells.',
    status: 200,
    close: () => app.close(),
  };
  app.post('/v1/chat/completions', async (request, reply) => {
    const { messages, model } = request.body as { messages: ChatModel['received'][number]; model: string };
    state.received.push(messages);
    if (state.says === 'silence') {
      await new Promise<void>((resolve) => reply.raw.on('close', resolve));
      state.cancelled += 1;
      return reply;
    }
    if (state.status !== 200) return reply.code(state.status).send({ error: { message: 'key is bad' } });
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: state.says }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  state.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`;
  return state;
}

async function startTripwire() {
  let calls = 0;
  const app = fastify();
  app.all('/*', async (_request, reply) => {
    calls += 1;
    return reply.type('image/png').send(Buffer.from('89504e470d0a1a0a', 'hex'));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, calls: () => calls, close: () => app.close() };
}
