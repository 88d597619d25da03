import { afterEach, expect, test } from 'vitest';
import { fakeTable } from '@/testing/fake-table.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { TransferFailed } from './transfer.ts';
import type { TransferOptions } from './transfer.ts';
import { UploadQueue } from './upload-queue.ts';

const queues: UploadQueue[] = [];
afterEach(() => {
  for (const queue of queues.splice(0)) queue.close();
});

function world() {
  const fake = fakeServices();
  const rows = fakeTable(fake, 'user_files');
  fake.answer('/storage/v1/object/user-files', () => json([]));
  const opened: (TransferOptions & { started: number; stopped: number })[] = [];
  const givenUp: string[] = [];
  const stored: string[] = [];
  const failed: unknown[] = [];
  const open = () => {
    const queue = new UploadQueue({
      userId: 'ada',
      services: fake.services,
      transfers: {
        open: async (options) => {
          const transfer = { ...options, started: 0, stopped: 0 };
          opened.push(transfer);
          return {
            start: () => (transfer.started += 1),
            stop: async () => void (transfer.stopped += 1),
          };
        },
        giveUp: async (url) => void givenUp.push(url),
      },
      onStored: ({ fileName }) => stored.push(fileName),
      onFailed: ({ error }) => failed.push(error),
    });
    queues.push(queue);
    return queue;
  };
  const begun = async (count: number) => {
    await expect.poll(() => opened[count - 1]?.started).toBe(1);
    expect(opened).toHaveLength(count);
    return opened[count - 1]!;
  };
  const removed = () =>
    fake.requests.filter(({ method, path }) => method === 'DELETE' && /object/.test(path));
  return { fake, rows, open, begun, opened, givenUp, stored, failed, removed };
}

const file = (name: string) => new File(['AAACCTG\n'], name, { lastModified: 5 });
const named = (name: string) => ({ file: file(name), fileName: name.slice(0, -4), description: null });
const phases = (queue: UploadQueue) => queue.get().map(({ phase }) => phase);

test('files go one after the other, each gets its row, and paths differ', async () => {
  const { open, begun, rows, stored, fake } = world();
  const queue = open();
  queue.add([named('a.tsv'), named('a.tsv')]);
  const first = await begun(1);
  expect(phases(queue)).toEqual(['uploading', 'queued']);
  first.onUrl('http://cellfolio.test/1');
  first.onProgress(8);
  first.onDone();
  const second = await begun(2);
  expect(second.path).not.toBe(first.path);
  second.onDone();
  await expect.poll(() => stored).toEqual(['a', 'a']);
  expect(rows).toHaveLength(2);
  expect(fake.requests.find(({ path }) => path.startsWith('/rest/v1/user_files'))?.body).toEqual({
    user_id: 'ada',
    file_name: 'a',
    original_filename: 'a.tsv',
    description: null,
    file_size: 8,
    mime_type: 'text/tab-separated-values',
    file_path: expect.stringMatching(/^ada\/\d+_a\.tsv$/),
  });
  expect(queue.get()).toEqual([]);
  expect(queue.interrupted()).toEqual([]);
});

test('a paused upload lets the next one go, and goes on where it was', async () => {
  const { open, begun, opened } = world();
  const queue = open();
  queue.add([named('a.tsv'), named('b.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  queue.pause(queue.get()[0]!.id);
  expect(first.stopped).toBe(1);
  (await begun(2)).onDone();
  await expect.poll(() => phases(queue)).toEqual(['paused']);
  // What comes late of the stopped one is no news.
  first.onProgress(3);
  expect(phases(queue)).toEqual(['paused']);
  queue.continue(queue.get()[0]!.id);
  const again = await begun(3);
  expect(again).toMatchObject({ url: 'http://cellfolio.test/1', path: opened[0]!.path });
});

test('a lost connection is waited for, and the upload goes on by itself', async () => {
  const { open, begun, failed } = world();
  const queue = open();
  queue.add([named('a.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  const failure = new TransferFailed(null, '');
  first.onFailed(failure);
  expect(queue.get()).toMatchObject([{ phase: 'waiting', error: failure }]);
  dispatchEvent(new Event('online'));
  const again = await begun(2);
  expect(again.url).toBe('http://cellfolio.test/1');
  // Bytes that go into a dead line are no sign of life.
  again.onProgress(4);
  expect(phases(queue)).toEqual(['waiting']);
  again.onArrived();
  again.onProgress(8);
  expect(phases(queue)).toEqual(['uploading']);
  expect(failed).toEqual([]);
});

test('after a reload the same file goes on where it was, another does not', async () => {
  const { open, begun } = world();
  const before = open();
  before.add([{ ...named('a.tsv'), description: 'liver' }]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  before.close();
  const after = open();
  const [interrupted] = after.interrupted();
  expect(interrupted).toMatchObject({ fileName: 'a', description: 'liver', originalName: 'a.tsv' });
  after.add([named('b.tsv')]);
  expect(await begun(2)).toMatchObject({ url: null });
  after.pause(after.get()[0]!.id);
  after.resume(interrupted!, file('a.tsv'));
  expect(await begun(3)).toMatchObject({ url: 'http://cellfolio.test/1', path: first.path });
  expect(after.interrupted()).toEqual([]);
});

test('a refused row takes its bytes away again, and trying again is another upload', async () => {
  const { open, begun, fake, failed, removed, stored } = world();
  const queue = open();
  fake.answer('/rest/v1/user_files', () => json({ code: '42501', message: 'no' }, 403));
  queue.add([named('a.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  first.onDone();
  await expect.poll(() => failed).toHaveLength(1);
  expect(removed()).toHaveLength(1);
  expect(queue.interrupted()).toEqual([]);
  fakeTable(fake, 'user_files');
  queue.continue(queue.get()[0]!.id);
  const again = await begun(2);
  expect(again.url).toBeNull();
  expect(again.path).not.toBe(first.path);
  again.onDone();
  await expect.poll(() => stored).toEqual(['a']);
});

test('a row that is not taken just now keeps the bytes, and is written when it is tried again', async () => {
  const { open, begun, fake, failed, removed, stored } = world();
  const queue = open();
  fake.answer('/rest/v1/user_files', () => json({ code: 'PT429', message: 'later', hint: 'Wait.' }, 429));
  queue.add([named('a.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  first.onDone();
  await expect.poll(() => failed).toHaveLength(1);
  expect(removed()).toEqual([]);
  fakeTable(fake, 'user_files');
  queue.continue(queue.get()[0]!.id);
  const again = await begun(2);
  expect(again.url).toBe('http://cellfolio.test/1');
  again.onDone();
  await expect.poll(() => stored).toEqual(['a']);
});

test('a row whose answer is lost keeps the bytes, and is written once', async () => {
  const { open, begun, fake, failed, removed, stored } = world();
  const queue = open();
  fake.answer('/rest/v1/user_files', () => {
    throw new TypeError('Failed to fetch');
  });
  queue.add([named('a.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  first.onDone();
  await expect.poll(() => failed).toHaveLength(1);
  expect(removed()).toEqual([]);
  fake.answer('/rest/v1/user_files', () => json({ code: '23505', message: 'duplicate key' }, 409));
  queue.continue(queue.get()[0]!.id);
  const again = await begun(2);
  expect(again.url).toBe('http://cellfolio.test/1');
  again.onDone();
  await expect.poll(() => stored).toEqual(['a']);
  expect(removed()).toEqual([]);
});

test('an upload that the server refuses midway fails with its text, and the next goes on', async () => {
  const { open, begun, failed, givenUp } = world();
  const queue = open();
  queue.add([named('a.tsv'), named('b.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  first.onFailed(new TransferFailed(413, 'Not enough storage.'));
  await begun(2);
  expect(phases(queue)).toEqual(['failed', 'uploading']);
  expect(failed).toHaveLength(1);
  expect(givenUp).toEqual(['http://cellfolio.test/1']);
});

test('a cancelled upload is given up at the service, with what had arrived', async () => {
  const { open, begun, givenUp, removed } = world();
  const queue = open();
  queue.add([named('a.tsv')]);
  const first = await begun(1);
  first.onUrl('http://cellfolio.test/1');
  await queue.cancel(queue.get()[0]!.id);
  expect(first.stopped).toBe(1);
  expect(givenUp).toEqual(['http://cellfolio.test/1']);
  expect(removed()).toHaveLength(1);
  expect(queue.get()).toEqual([]);
  expect(queue.interrupted()).toEqual([]);
});
