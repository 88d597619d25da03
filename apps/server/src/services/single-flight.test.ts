import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

function deferred<T>() {
  return Promise.withResolvers<T>();
}

test('identical concurrent work runs once and answers all', async () => {
  const flights = new SingleFlight<number>();
  const gate = deferred<number>();
  let runs = 0;
  const ask = () => flights.run('CD79A', undefined, () => (runs++, gate.promise));
  const answers = Promise.all([ask(), ask(), ask()]);
  gate.resolve(7);
  expect(await answers).toEqual([7, 7, 7]);
  expect(runs).toBe(1);
  expect(flights.size).toBe(0);
});

test('one waiter that leaves does not disturb the others', async () => {
  const flights = new SingleFlight<number>();
  const gate = deferred<number>();
  const leaving = new AbortController();
  let aborted = false;
  const work = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (aborted = true));
    return gate.promise;
  };
  const first = flights.run('k', leaving.signal, work);
  const second = flights.run('k', undefined, work);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(aborted).toBe(false);
  gate.resolve(1);
  expect(await second).toBe(1);
});

test('the work is aborted when its last waiter has left, and the next caller starts afresh', async () => {
  const flights = new SingleFlight<string>();
  const leaving = new AbortController();
  let seen: AbortSignal | undefined;
  const first = flights.run('k', leaving.signal, (signal) => ((seen = signal), new Promise<string>(() => {})));
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(seen?.aborted).toBe(true);
  expect(await flights.run('k', undefined, async () => 'fresh')).toBe('fresh');
});

test('a failure reaches every waiter and is not kept', async () => {
  const flights = new SingleFlight<number>();
  const fail = () => flights.run('k', undefined, async () => Promise.reject(new Error('broken')));
  const [a, b] = await Promise.allSettled([fail(), fail()]);
  expect([a.status, b.status]).toEqual(['rejected', 'rejected']);
  expect(await flights.run('k', undefined, async () => 2)).toBe(2);
});
