import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvalidLibraryName } from './errors.ts';
import { offeredLibraries } from './built-in-libraries.ts';
import { pullLibraries, type PullOptions } from './pull-libraries.ts';
import { StoredLibraries } from './stored-libraries.ts';
import {
  cutAfter,
  enrichrText,
  type FakePublisher,
  startPublisher,
  status,
} from './testing/fake-publisher.ts';
import { temporaryObjects, type TemporaryObjects } from './testing/temporary-objects.ts';

const names = offeredLibraries.map(({ name }) => name);
const textOf = (name: string) => enrichrText([[`A set of ${name}`, 'CDK1', 'PLK1']]);
let publisher: FakePublisher;
let store: TemporaryObjects;
let stored: StoredLibraries;

beforeEach(async () => {
  publisher = await startPublisher(new Map(names.map((name) => [name, textOf(name)])));
  store = await temporaryObjects();
  stored = new StoredLibraries(store.objects);
});
afterEach(async () => {
  await publisher.close();
  await store.remove();
});

function pull(names: readonly string[], options: Partial<PullOptions> = {}) {
  return pullLibraries(stored, names, {
    base: publisher.base,
    timeoutMilliseconds: 2000,
    signal: new AbortController().signal,
    pauses: [],
    missingOnly: false,
    replace: false,
    ...options,
  });
}

const outcomes = async (pulling: ReturnType<typeof pull>) =>
  (await pulling).map(({ name, outcome }) => [name, outcome]);

describe('libraries are pulled', () => {
  test('each once, under their names, with address and counts', async () => {
    expect(await outcomes(pull([...names, names[0] ?? '']))).toEqual(names.map((name) => [name, 'fetched']));
    expect(publisher.seen.map(({ library }) => library)).toEqual(names);
    expect(await stored.find('KEGG_2021_Human')).toMatchObject({
      source: 'publisher',
      origin: `${publisher.base}/geneSetLibrary?mode=text&libraryName=KEGG_2021_Human`,
      setCount: 1,
      geneCount: 2,
    });
  });

  test('one by one: a failed one leaves its old content and does not stop the others', async () => {
    await pull(['KEGG_2021_Human']);
    const before = await stored.find('KEGG_2021_Human');
    publisher.answerNext(status(200, { 'content-type': 'text/html' }, '<html>sorry</html>'));
    const result = await pull(['KEGG_2021_Human', 'Reactome_Pathways_2024', 'No_Such_Library']);
    expect(result.map(({ outcome }) => outcome)).toEqual(['failed', 'fetched', 'failed']);
    expect(result[2]).toMatchObject({ reason: expect.stringContaining('answered 404') });
    expect(await stored.find('KEGG_2021_Human')).toEqual(before);
  });

  test('whole or not at all: a text that is cut or malformed changes nothing', async () => {
    const [name = ''] = names;
    const broken = [
      cutAfter(textOf(name), 12),
      status(200, {}, 'not a library\n'),
      status(200, {}, 'A\t\t\n'),
    ];
    for (const answer of broken) {
      publisher.answerNext(answer);
      expect(await outcomes(pull([name]))).toEqual([[name, 'failed']]);
    }
    expect(await stored.all()).toEqual({ records: [], damaged: [] });
  });

  test('only where they are missing, on request', async () => {
    await pull(['KEGG_2021_Human']);
    expect(await outcomes(pull(names, { missingOnly: true }))).toEqual([
      ['KEGG_2021_Human', 'kept'],
      ...names.slice(1).map((name) => [name, 'fetched']),
    ]);
    expect(publisher.seen.filter(({ library }) => library === 'KEGG_2021_Human')).toHaveLength(1);
  });

  test('not over a library from a file, unless requested', async () => {
    const bytes = new TextEncoder().encode('Own\t\tTP53\n');
    await stored.put({ name: 'KEGG_2021_Human', bytes, source: 'file', origin: 'own.gmt', replace: false });
    expect(await outcomes(pull(['KEGG_2021_Human']))).toEqual([['KEGG_2021_Human', 'kept']]);
    expect(publisher.seen).toEqual([]);
    expect(await outcomes(pull(['KEGG_2021_Human'], { replace: true }))).toEqual([
      ['KEGG_2021_Human', 'fetched'],
    ]);
    expect((await stored.find('KEGG_2021_Human'))?.source).toBe('publisher');
  });

  test('until they are cancelled: those that are whole stay, and nothing of the others is there', async () => {
    const controller = new AbortController();
    const reason = new DOMException('Interrupted', 'AbortError');
    const pulling = pull(names, {
      signal: controller.signal,
      onProgress: ({ name }) => {
        if (name === names[1]) controller.abort(reason);
      },
    });
    await expect(pulling).rejects.toBe(reason);
    const { records } = await stored.all();
    expect(records.map(({ name }) => name)).toEqual([names[0]]);
    expect(publisher.seen.map(({ library }) => library)).toEqual(names.slice(0, 2));
  });

  test('not at all under a name that no library can have', async () => {
    await expect(pull(['KEGG_2021_Human', '../../etc'])).rejects.toThrow(InvalidLibraryName);
    expect(publisher.seen).toEqual([]);
  });
});
