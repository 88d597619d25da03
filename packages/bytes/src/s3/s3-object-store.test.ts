import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { InvalidObjectKey, ObjectNotFound, ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';
import { type S3Call, type S3Fault, type S3StandIn, startS3StandIn } from '../testing/s3-stand-in.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retries.ts';
import { S3ObjectStore } from './s3-object-store.ts';

const policy: RetryPolicy = { ...defaultRetryPolicy, firstPause: 1, maxPause: 2 };
const inHurry: RetryPolicy = { ...policy, answer: 300, bytesPerSecond: 50_000_000 };

let s3: S3StandIn;
let store: S3ObjectStore;
beforeAll(async () => {
  s3 = await startS3StandIn();
});
afterAll(() => s3.close());
beforeEach(() => {
  store = new S3ObjectStore(s3.location, policy);
});
afterEach(async () => {
  await store.close();
  s3.objects.clear();
  s3.calls.length = 0;
  s3.fault = () => undefined;
  s3.conditions = 'kept';
});

const bytes = (text: string) => Buffer.from(text);
const text = async (key: string, range?: { offset: number; length: number }) =>
  Buffer.from(await store.get(key, range ? { range } : {})).toString();
const keys = async (prefix: string) => {
  const allKeys: string[] = [];
  for await (const key of store.list(prefix)) allKeys.push(key);
  return allKeys;
};
const failing = (count: number, fault: S3Fault, matches: (call: S3Call) => boolean = () => true) => {
  s3.fault = (call) => (matches(call) && count-- > 0 ? fault : undefined);
};

test('an object is read whole, in ranges and into given memory, one request each', async () => {
  await store.put('a/b', bytes('0123456789'));
  s3.calls.length = 0;
  expect(await text('a/b')).toBe('0123456789');
  expect(await text('a/b', { offset: 3, length: 4 })).toBe('3456');
  const into = new Uint8Array(20);
  const part = await store.get('a/b', { range: { offset: 8, length: 2 }, into });
  expect([part.buffer === into.buffer, Buffer.from(part).toString()]).toEqual([true, '89']);
  expect(s3.calls.map(({ method, range }) => [method, range])).toEqual([
    ['GET', undefined],
    ['GET', 'bytes=3-6'],
    ['GET', 'bytes=8-9'],
  ]);
  expect(await text('a/b', { offset: 10, length: 0 })).toBe('');
  expect(await store.head('a/b')).toMatchObject({ size: 10 });
});

test('an absent object is not found, and is requested once', async () => {
  await expect(store.get('nothing')).rejects.toThrow(ObjectNotFound);
  expect(await store.head('nothing')).toBeUndefined();
  await store.delete('nothing');
  expect(s3.calls.length).toBe(3);
});

test.each(['../out', 'a//b', '', 'a/./b', 'a\0b'])('the key %j is refused without a request', async (key) => {
  await expect(store.get(key)).rejects.toThrow(InvalidObjectKey);
  await expect(store.head(key)).rejects.toThrow(InvalidObjectKey);
  await expect(store.delete(key)).rejects.toThrow(InvalidObjectKey);
  await expect(store.put(key, bytes('x'))).rejects.toThrow(InvalidObjectKey);
  expect(s3.calls).toEqual([]);
});

test('keys are listed page after page, in byte order, with size and tag', async () => {
  const names = Array.from({ length: 45 }, (_, i) => `many/${String(i).padStart(2, '0')}`);
  await Promise.all([...names, 'manyother'].map((name) => store.put(name, bytes(name))));
  s3.calls.length = 0;
  expect(await keys('many/')).toEqual(names);
  expect(s3.calls.length).toBe(3);
  for await (const entry of store.listObjects('many/')) {
    expect(entry).toMatchObject({ key: 'many/00', size: 7, tag: expect.stringContaining('"') });
    break;
  }
});

test('a large body goes in parts that are each tried again, and a small one in one request', async () => {
  const whole = randomBytes(17_000_000);
  const pieces = async function* () {
    const memory = Buffer.alloc(300_000);
    for (let at = 0; at < whole.length; at += memory.length) {
      // One memory for all pieces: what was handed over is no longer there.
      const length = whole.copy(memory, 0, at, at + memory.length);
      yield memory.subarray(0, length);
    }
  };
  let lost = 1;
  let refused = 2;
  s3.fault = ({ method, query }) => {
    if (query.get('partNumber') === '2' && refused-- > 0) return 500;
    // The upload is complete, and whoever asks again is told that there is none.
    return method === 'POST' && query.has('uploadId') && lost-- > 0 ? 'lost' : undefined;
  };
  await store.put('large', pieces());
  expect(Buffer.compare(await store.get('large'), whole)).toBe(0);
  const parts = s3.calls.flatMap(({ query }) => query.get('partNumber') ?? []);
  expect(parts.sort()).toEqual(['1', '2', '2', '2', '3']);
  s3.calls.length = 0;
  await store.put('small', whole.subarray(0, 1000));
  expect(s3.calls.map(({ method }) => method)).toEqual(['PUT']);
});

test('an upload that was begun twice, because the first answer was lost, leaves no parts open', async () => {
  let lost = 1;
  s3.fault = ({ method, query }) =>
    method === 'POST' && query.has('uploads') && lost-- > 0 ? 'lost' : undefined;
  await store.put('large', Buffer.alloc(9_000_000));
  expect((await store.head('large'))?.size).toBe(9_000_000);
  expect([...s3.unfinished.keys()]).toEqual([]);
});

test('of an upload that breaks off for good no object and no part stays', async () => {
  async function* source() {
    yield Buffer.alloc(9_000_000);
    await Promise.resolve();
    yield Buffer.alloc(9_000_000);
    throw new Error('source broke');
  }
  await expect(store.put('large', source())).rejects.toThrow('source broke');
  failing(99, 503, ({ query }) => query.get('partNumber') === '2');
  await expect(store.put('large', Buffer.alloc(20_000_000))).rejects.toThrow(StoreWriteFailed);
  expect([[...s3.objects], [...s3.unfinished]]).toEqual([[], []]);
});

test.each<[string, S3Fault]>([
  ['an error of the server', 500],
  ['a server that is overloaded', 503],
  ['a connection that breaks', 'reset'],
  ['a body that breaks off', 'cut'],
  ['a server that says nothing', 'hang'],
])('after %s the same request is sent again, and the answer is right', async (_name, fault) => {
  await store.put('a', bytes('0123456789'));
  s3.calls.length = 0;
  failing(2, fault);
  if (fault === 'hang') store = new S3ObjectStore(s3.location, inHurry);
  expect(await text('a', { offset: 2, length: 5 })).toBe('23456');
  expect(s3.calls.length).toBe(3);
});

test('what goes on failing ends in an error that names the object, after a bounded number of attempts', async () => {
  failing(99, 503);
  const error = await store.get('datasets/a').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObjectStoreFailed);
  expect(error).toMatchObject({ key: 'datasets/a', attempts: 4 });
  expect((error as Error).message).toMatch(/^the object store failed at "datasets\/a" after 4 attempts: /);
  expect(s3.calls.length).toBe(4);
  await expect(keys('datasets/')).rejects.toThrow('failed at "datasets/"');
  await expect(store.put('a', bytes('x'))).rejects.toThrow(StoreWriteFailed);
});

test('a permanent refusal is not retried, and says what to look at', async () => {
  failing(99, 403);
  await expect(store.get('a')).rejects.toThrow(
    'it rejected the credentials in OBJECT_STORE_URL (AccessDenied)',
  );
  expect(s3.calls.length).toBe(1);
});

test('an unreachable server is a clear error', async () => {
  const unreachable = new S3ObjectStore({ ...s3.location, endpoint: 'http://127.0.0.1:9' }, policy);
  await expect(unreachable.get('a')).rejects.toThrow('the connection was refused');
  await unreachable.close();
});

test('a cancelled read ends at once, with its reason, and so does its connection', async () => {
  await store.put('a', bytes('x'));
  let arrived = () => {};
  const requestArrived = new Promise<void>((resolve) => (arrived = resolve));
  s3.fault = () => {
    arrived();
    return 'hang';
  };
  s3.calls.length = 0;
  const leaving = new AbortController();
  const read = store.get('a', { signal: leaving.signal });
  await requestArrived;
  leaving.abort(new Error('gone'));
  await expect(read).rejects.toThrow('gone');
  expect(s3.calls.length).toBe(1);
  await expect(store.get('a', { signal: leaving.signal })).rejects.toThrow('gone');
  expect(s3.calls.length).toBe(1);
});

test('a write with a condition says whether it held', async () => {
  const absent = { absent: true } as const;
  expect(await store.putIf('m', bytes('1'), absent)).toBe('written');
  expect(await store.putIf('m', bytes('2'), absent)).toBe('refused');
  const { tag } = (await store.head('m'))!;
  expect(await store.putIf('m', bytes('3'), { tag })).toBe('written');
  expect(await store.putIf('m', bytes('4'), { tag })).toBe('refused');
  expect(await store.putIf('n', bytes('5'), { tag })).toBe('refused');
  s3.conditions = 'refused';
  expect(await store.putIf('m', bytes('6'), { tag })).toBe('unknown');
  expect(await text('m')).toBe('3');
});
