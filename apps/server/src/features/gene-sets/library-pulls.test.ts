import type { ProgressEvent } from '@cellfolio/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LibraryPulls } from './pull-libraries.ts';
import { offeredLibraries } from './built-in-libraries.ts';
import { StoredLibraries } from './stored-libraries.ts';
import { enrichrText, type FakePublisher, startPublisher, whole } from './testing/fake-publisher.ts';
import { temporaryObjects, type TemporaryObjects } from './testing/temporary-objects.ts';

const names = offeredLibraries.map(({ name }) => name);
const text = enrichrText([['A set', 'CDK1', 'PLK1']]);
let publisher: FakePublisher;
let store: TemporaryObjects;
let stored: StoredLibraries;
let pulls: LibraryPulls;

beforeEach(async () => {
  publisher = await startPublisher(new Map(names.map((name) => [name, text])));
  store = await temporaryObjects();
  stored = new StoredLibraries(store.objects);
  pulls = new LibraryPulls(stored, { base: publisher.base, timeoutMilliseconds: 5000 });
});
afterEach(async () => {
  await pulls.close();
  await publisher.close();
  await store.remove();
});

function follow(controller = new AbortController()) {
  const events: ProgressEvent[] = [];
  const outcomes = pulls.follow({
    onProgress: (progress) => events.push(progress),
    signal: controller.signal,
  });
  return { events, outcomes, leave: () => controller.abort(new Error('gone')) };
}

function pauseNext(): { begun: Promise<void>; goOn: () => void } {
  const begun = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  publisher.answerNext((response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, 5), () => begun.resolve());
    void going.promise.then(() => response.end(text.slice(5)));
  });
  return { begun: begun.promise, goOn: going.resolve };
}

test('a request during a pull of libraries follows that pull from its current progress', async () => {
  const { begun, goOn } = pauseNext();
  const first = follow();
  await begun;
  await expect.poll(() => first.events.length).toBeGreaterThan(0);
  const second = follow();
  expect(second.events).toEqual([first.events.at(-1)]);
  expect(second.events[0]).toMatchObject({ stage: `Fetching ${names[0]} (1 of 4)`, done: 5 });
  goOn();
  const outcomes = await first.outcomes;
  expect(outcomes.map(({ name, outcome }) => [name, outcome])).toEqual(
    names.map((name) => [name, 'fetched']),
  );
  expect(await second.outcomes).toBe(outcomes);
  expect(publisher.seen.map(({ library }) => library)).toEqual(names);
  expect(second.events.at(-1)?.stage).toBe(`Fetching ${names[3]} (4 of 4)`);
});

test('a pull goes on when everybody has gone, and one after it is a new one with the same result', async () => {
  const { begun, goOn } = pauseNext();
  const follower = follow();
  await begun;
  follower.leave();
  await expect(follower.outcomes).rejects.toThrow('gone');
  const late = follow();
  goOn();
  await late.outcomes;
  const { records } = await stored.all();
  expect(records.map(({ name }) => name).sort()).toEqual(names.toSorted());
  expect(publisher.seen).toHaveLength(4);
  const again = follow();
  expect((await again.outcomes).map(({ outcome }) => outcome)).toEqual(names.map(() => 'fetched'));
  expect(again.events[0]?.stage).toBe(`Fetching ${names[0]} (1 of 4)`);
  expect(publisher.seen).toHaveLength(8);
  expect((await stored.all()).records.map(({ sha256 }) => sha256)).toEqual(
    records.map(({ sha256 }) => sha256),
  );
});

test('a server that stops ends the pull, and keeps what had arrived whole', async () => {
  publisher.answerNext(whole(text));
  const { begun } = pauseNext();
  const running = follow();
  const ended = running.outcomes.catch((error: unknown) => error);
  await begun;
  await pulls.close();
  expect(await ended).toMatchObject({ name: 'AbortError' });
  const { records, damaged } = await stored.all();
  expect({ stored: records.map(({ name }) => name), damaged }).toEqual({ stored: [names[0]], damaged: [] });
});
