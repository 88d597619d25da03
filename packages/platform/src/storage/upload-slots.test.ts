import { expect, test } from 'vitest';
import { UploadSlots } from './upload-slots.ts';

function pendingWork(slots: UploadSlots, begun: number[], number: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const done = slots.hold(async () => {
    begun.push(number);
    return promise;
  });
  done.catch(() => {});
  return { done, end: () => resolve(number), fail: () => reject(new Error('broken off')) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('an upload without a slot waits in order, also behind a failed one', async () => {
  const slots = new UploadSlots(2, 60);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => pendingWork(slots, begun, number));
  await settled();
  expect(begun).toEqual([0, 1]);
  works[1]!.fail();
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  works[0]!.end();
  await settled();
  expect(begun).toEqual([0, 1, 2, 3]);
  works[2]!.end();
  works[3]!.end();
  expect(await works[3]!.done).toBe(3);
  // All slots are free again, and no more.
  const later = [4, 5, 6].map((number) => pendingWork(slots, begun, number));
  await settled();
  expect(begun.slice(4)).toEqual([4, 5]);
  for (const { end } of later) end();
  expect(await later[2]!.done).toBe(6);
});

test('an upload that times out in the queue is refused with SlowDown and takes no slot', async () => {
  const slots = new UploadSlots(1, 0.01);
  const begun: number[] = [];
  const first = pendingWork(slots, begun, 0);
  await expect(pendingWork(slots, begun, 1).done).rejects.toMatchObject({
    name: 'StorageError',
    code: 'SlowDown',
  });
  first.end();
  await first.done;
  const next = pendingWork(slots, begun, 2);
  next.end();
  expect(await next.done).toBe(2);
  expect(begun).toEqual([0, 2]);
});
