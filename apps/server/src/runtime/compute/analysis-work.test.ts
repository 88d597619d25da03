import { expect, test } from 'vitest';
import { JoinedWork, type CallContext } from './analysis-work.ts';

function caller(user: string) {
  const controller = new AbortController();
  const stages: string[] = [];
  const waiting: CallContext = {
    signal: controller.signal,
    users: () => [user],
    onProgress: ({ stage }) => stages.push(stage),
  };
  return { waiting, stages, leave: () => controller.abort(new Error(`${user} left`)) };
}

test('identical work runs once, for all users who currently wait for it', async () => {
  const [first, second] = [caller('a'), caller('b')];
  const work = new JoinedWork<string>();
  const result = Promise.withResolvers<string>();
  const begun: CallContext[] = [];
  const run = ({ waiting }: typeof first) =>
    work.run('key', waiting, (joined) => {
      begun.push(joined);
      return result.promise;
    });
  const ofFirst = run(first);
  expect(begun[0]!.users()).toEqual(['a']);
  const ofSecond = run(second);
  const again = run(second);
  expect(begun).toHaveLength(1);
  expect(begun[0]!.users()).toEqual(['a', 'b']);
  begun[0]!.onProgress({ stage: 'half', done: 1, total: 2 });
  expect([first.stages, second.stages]).toEqual([['half'], ['half', 'half']]);
  first.leave();
  await expect(ofFirst).rejects.toThrow('a left');
  expect(begun[0]!.users()).toEqual(['b']);
  expect(begun[0]!.signal.aborted).toBe(false);
  result.resolve('done');
  expect(await Promise.all([ofSecond, again])).toEqual(['done', 'done']);
  expect(begun[0]!.users()).toEqual([]);
});

test('work whose requests were all cancelled is cancelled, and the next request starts it again', async () => {
  const [first, second] = [caller('a'), caller('b')];
  const work = new JoinedWork<string>();
  let cancelled: CallContext | undefined;
  const left = work.run('key', first.waiting, (joined) => {
    cancelled = joined;
    return new Promise(() => {});
  });
  first.leave();
  await expect(left).rejects.toThrow('a left');
  expect(cancelled!.signal.aborted).toBe(true);
  const rerun = await work.run('key', second.waiting, async ({ users }) => users().join());
  expect(rerun).toBe('b');
});
