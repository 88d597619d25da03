import { setTimeout as pause } from 'node:timers/promises';
import { Writable } from 'node:stream';
import type { Database } from '@cellfolio/platform';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { DatabaseOutages } from './database-outages.ts';
import { logSettings } from './log-settings.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
  syscall: 'connect',
});

function world() {
  const lines: Record<string, unknown>[] = [];
  const out = new Writable({
    write(piece: Buffer, _encoding, done) {
      lines.push(JSON.parse(piece.toString()) as Record<string, unknown>);
      done();
    },
  });
  const outages = new DatabaseOutages();
  const log = pino(logSettings('info', outages), out);
  const state = { away: false };
  const query = async () => {
    if (!state.away) return { rows: [] };
    outages.noteLoss(refused);
    throw refused;
  };
  outages.watch({ pool: { query } } as unknown as Database, log);
  return {
    lines,
    outages,
    log,
    state,
    refuse: () => log.child({ reqId: 'r' }).error({ err: refused }, 'request failed'),
  };
}

test('an outage is one line when it begins, and one with its length and its calls when it ends', async () => {
  const { lines, outages, log, state, refuse } = world();
  state.away = true;
  outages.noteLoss(refused);
  for (let call = 0; call < 50; call += 1) refuse();
  log.error({ err: refused, job: 'j' }, 'a job or the queue of jobs failed');
  log.error({ err: new Error('another matter') }, 'request failed');
  await pause(20);
  refuse();
  expect(lines.map(({ msg }) => msg)).toEqual([
    'request failed',
    'the database is unavailable: calls are refused until it is back',
  ]);
  expect(lines[1]).toMatchObject({ level: 50, cause: refused.message, code: 'ECONNREFUSED' });
  state.away = false;
  await vi.waitFor(() => expect(lines).toHaveLength(3), 5000);
  expect(lines[2]).toMatchObject({ level: 40, msg: 'the database is available again', callsRefused: 51 });
  expect(lines[2]!['seconds']).toBeGreaterThan(0);
  // The next one is told again.
  state.away = true;
  outages.noteLoss(refused);
  await vi.waitFor(() => expect(lines).toHaveLength(4));
  await outages.close();
});

test('one connection that is lost while the database answers is one line', async () => {
  const { lines, outages } = world();
  outages.noteLoss(new Error('Connection terminated unexpectedly'));
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({
    level: 40,
    msg: 'a connection to the database was lost',
    cause: 'Connection terminated unexpectedly',
    callsRefused: 0,
  });
});

test('another service that cannot be reached is no outage of the database', () => {
  const { lines, refuse } = world();
  refuse();
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed']);
});
