import { Admission } from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import { type TurnServices, watched } from './active-cells.ts';

const limits = { runningPerUser: 1, waiting: 10, waitingPerUser: 5, queueTimeoutMilliseconds: 5000 };
const services = (): TurnServices => ({
  admission: new Admission({ ...limits, running: 1 }),
  visitorTurns: new Admission({ ...limits, running: 2 }),
  progress: new ProgressHub(undefined),
  ownColumns: {} as TurnServices['ownColumns'],
});

const request = (of: object) =>
  ({
    ...of,
    ip: '192.0.2.1',
    headers: {},
    id: 'call',
    clientGone: new AbortController().signal,
  }) as unknown as FastifyRequest;
const user = request({ member: { userId: 'ada' } });
const visitor = (network: string) => request({ visitor: { dataset: 'demo', network } });

test('visitors take no place of users, and count as one user of the compute threads', async () => {
  const server = services();
  const working = Promise.withResolvers<void>();
  const users: string[] = [];
  const visits = ['a', 'a', 'b', 'c'].map((network) =>
    watched(server, visitor(network), async (call) => {
      users.push(...call.users());
      await working.promise;
    }),
  );
  expect(await watched(server, user, async () => 'answered')).toBe('answered');
  // One of each network, and two in all.
  expect(users).toEqual(['visitors', 'visitors']);
  expect([server.visitorTurns.running, server.visitorTurns.waiting]).toEqual([2, 2]);
  working.resolve();
  await Promise.all(visits);
  expect(users).toHaveLength(4);
});
