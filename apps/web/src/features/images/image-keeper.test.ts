import { beforeEach, describe, expect, test } from 'vitest';
import { ImageKeeper } from './image-keeper.ts';
import { generatedImage, libraryImage } from './library-image.fixture.ts';
import type { LibraryImage } from './library-image.ts';
import { newestFirst } from './library-image.ts';
import type { StoredImages } from './stored-images.ts';

class FakeStore implements StoredImages {
  rows: LibraryImage[] = [];
  calls: string[] = [];
  running = 0;
  maxAtOnce = 0;
  refuse: (call: string) => boolean = () => false;

  async #call<T>(name: string, work: () => T): Promise<T> {
    this.calls.push(name);
    this.running++;
    this.maxAtOnce = Math.max(this.maxAtOnce, this.running);
    await new Promise((done) => setTimeout(done, 0));
    this.running--;
    if (this.refuse(name)) throw new Error(`refused: ${name}`);
    return work();
  }
  list = () => this.#call('list', () => newestFirst(this.rows).slice(0, 30));
  count = () => this.#call('count', () => this.rows.length);
  oldest = (count: number) =>
    this.#call(`oldest ${count}`, () =>
      newestFirst(this.rows)
        .toReversed()
        .slice(0, count)
        .map(({ id }) => id),
    );
  insert = (image: LibraryImage) =>
    this.#call(`insert ${image.title}`, () => void this.rows.push({ ...image, saveState: 'yes' }));
  remove = (ids: readonly string[]) =>
    this.#call(`remove ${ids.length}`, () => {
      this.rows = this.rows.filter(({ id }) => !ids.includes(id));
    });
  file = () => this.#call('file', () => new Blob(['stored']));
}

let store: FakeStore;
let shown: readonly LibraryImage[];
let forgotten: string[];
let failures: unknown[];
let keeper: ImageKeeper;
beforeEach(() => {
  store = new FakeStore();
  shown = [];
  forgotten = [];
  failures = [];
  keeper = new ImageKeeper({
    store,
    current: () => shown,
    publish: (images) => (shown = images),
    forget: (id) => forgotten.push(id),
    onSaveFailed: (error) => failures.push(error),
  });
});

const titles = (images: readonly LibraryImage[] = shown) => images.map(({ title }) => title);
const named = (title: string) => shown.find((image) => image.title === title)!;
const add = (...names: string[]) => keeper.add(names.map((name) => generatedImage(name)));

describe('ImageKeeper', () => {
  test('shows new images at once in front, and saves them one after the other in their order', async () => {
    add('a');
    expect(add('b', 'c')).toMatchObject({ added: 2, dropped: 0 });
    expect(titles()).toEqual(['b', 'c', 'a']);
    expect(shown.map(({ saveState }) => saveState)).toEqual(['saving', 'saving', 'saving']);
    await keeper.idle();
    expect(shown.map(({ saveState }) => saveState)).toEqual(['yes', 'yes', 'yes']);
    expect(store.maxAtOnce).toBe(1);
    expect(titles(newestFirst(store.rows))).toEqual(['b', 'c', 'a']);
  });

  test('at the limit the oldest are deleted first, then the new ones inserted', async () => {
    store.rows = Array.from({ length: 30 }, (_, n) => libraryImage(`old ${n}`, { createdAt: n }));
    shown = await keeper.list();
    store.calls = [];
    expect(add('a', 'b')).toMatchObject({ added: 2, dropped: 2 });
    await keeper.idle();
    expect(store.calls).toEqual(['count', 'oldest 2', 'remove 2', 'insert a', 'insert b']);
    expect(store.rows).toHaveLength(30);
    expect(titles()).toEqual(['a', 'b', ...Array.from({ length: 28 }, (_, n) => `old ${29 - n}`)]);
    expect(forgotten).toEqual(['old 1', 'old 0']);
  });

  test('of more than thirty at once the first thirty are kept and saved', async () => {
    const result = add(...Array.from({ length: 40 }, (_, n) => `g${n}`));
    expect(result).toMatchObject({ added: 30, dropped: 10 });
    await keeper.idle();
    expect(store.rows).toHaveLength(30);
    expect(titles().slice(-1)).toEqual(['g29']);
  });

  test('what another device saved counts for the limit', async () => {
    store.rows = Array.from({ length: 30 }, (_, n) => libraryImage(`other ${n}`, { createdAt: n }));
    add('mine');
    await keeper.idle();
    expect(store.rows).toHaveLength(30);
    expect(titles(store.rows)).not.toContain('other 0');
  });

  test('new images come first though another device has a clock that is ahead', async () => {
    const ahead = Date.now() + 3_600_000;
    store.rows = [libraryImage('ahead', { createdAt: ahead })];
    shown = await keeper.list();
    add('a', 'b');
    await keeper.idle();
    shown = await keeper.list();
    expect(titles()).toEqual(['a', 'b', 'ahead']);
  });

  test('an image that cannot be saved stays, is marked, and is saved on a retry', async () => {
    store.refuse = (call) => call === 'insert b';
    add('a', 'b', 'c');
    await keeper.idle();
    expect(shown.map(({ saveState }) => saveState)).toEqual(['yes', 'failed', 'yes']);
    expect(failures).toHaveLength(1);
    expect(await (await keeper.file(named('b').id)).text()).not.toBe('stored');
    store.refuse = () => false;
    keeper.saveAgain();
    await keeper.idle();
    expect(shown.map(({ saveState }) => saveState)).toEqual(['yes', 'yes', 'yes']);
    expect(titles(newestFirst(store.rows))).toEqual(['a', 'b', 'c']);
  });

  test('a list that was requested before an image was saved does not lose it', async () => {
    add('a');
    const list = keeper.list();
    await keeper.idle();
    expect(titles(await list)).toEqual(['a']);
    store.rows = [];
    expect(titles(await keeper.list())).toEqual([]);
  });

  test('a deleted image goes at once; one that the server keeps comes back', async () => {
    add('a', 'b');
    await keeper.idle();
    const removal = keeper.remove(named('a'));
    expect(titles()).toEqual(['b']);
    await removal;
    expect(titles(store.rows)).toEqual(['b']);
    expect(forgotten).toHaveLength(1);
    store.refuse = (call) => call.startsWith('remove');
    await expect(keeper.remove(named('b'))).rejects.toThrow('refused');
    expect(titles()).toEqual(['b']);
    // Its picture is there still, should the server not be.
    expect(forgotten).toHaveLength(1);
    expect(titles(await keeper.list())).toEqual(['b']);
  });

  test('an image deleted while it waits is never sent, and one deleted while it is sent is deleted after', async () => {
    add('a', 'b');
    await Promise.all([keeper.remove(named('a')), keeper.remove(named('b'))]);
    await keeper.idle();
    expect(store.rows).toEqual([]);
    add('c');
    while (!store.calls.includes('insert c')) await new Promise((done) => setTimeout(done, 0));
    await keeper.remove(named('c'));
    await keeper.idle();
    expect(store.rows).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('two hundred images made and deleted leave nothing behind', async () => {
    for (let n = 0; n < 200; n++) add(`g${n}`);
    for (const image of shown) await keeper.remove(image);
    await keeper.idle();
    expect(shown).toEqual([]);
    expect(store.rows).toEqual([]);
    expect(new Set(forgotten).size).toBe(200);
  });
});
