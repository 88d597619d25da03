import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookSms } from './platform-options.ts';

const requests: { headers: IncomingMessage['headers']; body: unknown }[] = [];
let status = 200;
const gateway = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    requests.push({ headers: request.headers, body: JSON.parse(text) });
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('done');
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`;
});
afterAll(() => void gateway.close());

test('a message reaches the gateway with the international number and the token', async () => {
  await webhookSms({ url, token: 'secret' }).send({ to: '41791234567', text: 'Your code is 123456 "x"' });
  expect(requests.at(-1)).toMatchObject({
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: { to: '+41791234567', text: 'Your code is 123456 "x"' },
  });
});

test('without a token none is sent', async () => {
  await webhookSms({ url }).send({ to: '41791234567', text: 'a' });
  expect(requests.at(-1)?.headers).not.toHaveProperty('authorization');
});

test.each([500, 401, 302])('sending fails when the gateway responds with %i', async (answer) => {
  status = answer;
  await expect(webhookSms({ url }).send({ to: '1', text: 'a' })).rejects.toThrow(/answered|fetch failed/);
});
