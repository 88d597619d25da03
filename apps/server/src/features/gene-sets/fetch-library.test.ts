import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LibraryNotFetched } from './errors.ts';
import { fetchLibrary, type FetchLibraryOptions } from './fetch-library.ts';
import {
  cutAfter,
  enrichrText,
  type FakePublisher,
  restOf,
  startPublisher,
  status,
  whole,
} from './testing/fake-publisher.ts';

const text = enrichrText([
  ['Cell cycle', 'CDK1', 'CCNB1', 'PLK1'],
  ['Apoptosis', 'CASP3', 'BAX', 'BCL2'],
  ['Glycolysis', 'HK2', 'PKM', 'LDHA'],
]);
const length = Buffer.byteLength(text);
let publisher: FakePublisher;
let seenBefore = 0;

beforeAll(async () => {
  publisher = await startPublisher(new Map([['Small', text]]));
});
afterEach(() => {
  seenBefore = publisher.seen.length;
});
afterAll(() => publisher.close());

function fetchSmall(options: Partial<FetchLibraryOptions> = {}): Promise<string> {
  const settings = {
    timeoutMilliseconds: 5000,
    signal: new AbortController().signal,
    pauses: [1, 1, 1],
    ...options,
  };
  return fetchLibrary('Small', publisher.base, settings).then((bytes) => Buffer.from(bytes).toString());
}

const testRequests = () => publisher.seen.slice(seenBefore);

describe('a library is fetched', () => {
  test('from an answer without a length, as the publisher gives it, uncompressed', async () => {
    expect(await fetchSmall()).toBe(text);
    expect(testRequests()).toEqual([
      { library: 'Small', range: undefined, ifRange: undefined, acceptEncoding: 'identity' },
    ]);
  });

  test('slowly, where no single silence is as long as the timeout', async () => {
    publisher.answerNext((response) => {
      const pieces = [text.slice(0, 20), text.slice(20, 60), text.slice(60)];
      response.writeHead(200, { 'content-length': length });
      const send = () => {
        const piece = pieces.shift();
        if (piece === undefined) return void response.end();
        response.write(piece);
        setTimeout(send, 150);
      };
      send();
    });
    const done: number[] = [];
    const fetched = await fetchSmall({
      timeoutMilliseconds: 400,
      onProgress: (progress) => {
        expect(progress.total).toBe(length);
        done.push(progress.done);
      },
    });
    expect(fetched).toBe(text);
    expect(done).toEqual([20, 60, length]);
    expect(testRequests()).toHaveLength(1);
  });

  test('in two parts, where the connection breaks and the server names its content', async () => {
    publisher.answerNext(cutAfter(text, 50, { etag: '"v1"' }), restOf(text, '"v1"'));
    expect(await fetchSmall()).toBe(text);
    expect(testRequests()).toMatchObject([{ range: undefined }, { range: 'bytes=50-', ifRange: '"v1"' }]);
  });

  test('from the start, where the content changed between two attempts', async () => {
    const other = enrichrText([['Another', 'TP53', 'MDM2']]);
    publisher.answerNext(cutAfter(text, 50, { etag: '"v1"' }), whole(other));
    expect(await fetchSmall()).toBe(other);
  });

  test.each([
    ['names nothing', {}],
    ['names what is only alike', { etag: 'W/"v1"' }],
    ['changed it this very minute', { 'last-modified': new Date().toUTCString() }],
  ])('from the start, where the server %s', async (_what, headers: Record<string, string>) => {
    publisher.answerNext(cutAfter(text, 50, headers));
    expect(await fetchSmall()).toBe(text);
    expect(testRequests().map(({ range }) => range)).toEqual([undefined, undefined]);
  });

  test('from the start, where the rest that arrives is not the requested one', async () => {
    const wrong = status(206, { 'content-range': `bytes 10-${length - 1}/${length}` }, text.slice(10));
    publisher.answerNext(cutAfter(text, 50, { etag: '"v1"' }), wrong);
    expect(await fetchSmall()).toBe(text);
    expect(testRequests().map(({ range }) => range)).toEqual([undefined, 'bytes=50-', undefined]);
  });

  test('from the start, where the server does not know the rest any more', async () => {
    publisher.answerNext(cutAfter(text, 50, { etag: '"v1"' }), status(416));
    expect(await fetchSmall()).toBe(text);
    expect(testRequests()).toHaveLength(3);
  });

  test.each([408, 429, 500, 502, 503])('after a passing answer of %i', async (code) => {
    publisher.answerNext(status(code, { 'content-type': 'text/html' }, '<html>busy</html>'));
    expect(await fetchSmall()).toBe(text);
    expect(testRequests()).toHaveLength(2);
  });

  test('after a silence, which ends the attempt', async () => {
    publisher.answerNext(
      () => undefined,
      (response) => {
        response.writeHead(200, { 'content-length': length, etag: '"v1"' });
        response.write(text.slice(0, 30));
      },
      restOf(text, '"v1"'),
    );
    expect(await fetchSmall({ timeoutMilliseconds: 200 })).toBe(text);
    expect(testRequests().map(({ range }) => range)).toEqual([undefined, undefined, 'bytes=30-']);
  });

  test('through a redirect within the publisher', async () => {
    publisher.answerNext(status(302, { location: '/Enrichr/geneSetLibrary?mode=text&libraryName=Small' }));
    expect(await fetchSmall()).toBe(text);
  });
});

describe('what is no whole library is refused', () => {
  const page = '<!DOCTYPE html><html><body>Down for maintenance</body></html>\n';
  test.each([
    ['a page', status(200, { 'content-type': 'text/html' }, page), /text\/html/],
    ['a page that calls itself text', status(200, { 'content-type': 'text/plain' }, page), /web page/],
    ['an object', status(200, { 'content-type': 'application/json' }, '{"expired":true}'), /json/],
    ['an object that calls itself text', status(200, {}, '{"message":"no such library"}\n'), /error message/],
    ['an unknown library', status(404, {}, 'nothing here'), /answered 404/],
    ['a refusal', status(403), /answered 403/],
    [
      'an announced size above the limit',
      cutAfter(`${text}${'x'.repeat(2000)}`, 5),
      /larger than 1000 bytes/,
    ],
    ['a size above the limit', whole('x'.repeat(1001)), /larger than 1000 bytes/],
    [
      'compressed bytes',
      status(200, { 'content-encoding': 'gzip' }, 'x'),
      /encoding gzip, which was not requested/,
    ],
    ['a redirect elsewhere', status(302, { location: 'file:///etc/passwd' }), /no http address/],
  ])('%s, without a second attempt', async (_what, answer, message) => {
    publisher.answerNext(answer);
    const failure = fetchSmall({ maxBytes: 1000 });
    await expect(failure).rejects.toThrow(LibraryNotFetched);
    await expect(failure).rejects.toThrow(message);
    expect(testRequests()).toHaveLength(1);
  });

  test.each([
    ['an empty answer', status(200), /is empty/],
    ['an answer cut within a line', whole(text.slice(0, -12)), /breaks off within a line/],
    ['an answer shorter than announced', cutAfter(text, length - 10), /connection was lost|ended after/],
    ['an answer longer than announced', status(200, { 'content-length': String(length - 12) }, text), /./],
    ['a server error', status(500), /answered 500/],
  ])('%s, after all attempts', async (_what, answer, message) => {
    publisher.answerNext(answer, answer, answer, answer);
    const failure = fetchSmall();
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toMatchObject({ library: 'Small', attempts: 4 });
    expect(testRequests()).toHaveLength(4);
  });

  test('a server that is not there is named, without the password of its address', async () => {
    const failure = fetchLibrary('Small', 'http://user:secret@127.0.0.1:9/Enrichr', {
      timeoutMilliseconds: 1000,
      signal: new AbortController().signal,
      pauses: [],
    });
    await expect(failure).rejects.toThrow(/no server answers/);
    await expect(failure).rejects.toThrow(/http:\/\/127\.0\.0\.1:9\/Enrichr/);
    await expect(failure).rejects.not.toThrow(/secret/);
  });
});

describe('a fetch that is cancelled ends at once with the reason', () => {
  const reason = new DOMException('Interrupted', 'AbortError');

  test('while bytes are coming', async () => {
    const controller = new AbortController();
    publisher.answerNext((response) => {
      response.writeHead(200, { 'content-length': length });
      response.write(text.slice(0, 30));
    });
    const fetching = fetchSmall({
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(fetching).rejects.toBe(reason);
    expect(testRequests()).toHaveLength(1);
  });

  test('while it waits for another attempt', async () => {
    const controller = new AbortController();
    publisher.answerNext((response) => {
      response.writeHead(500).end();
      setTimeout(() => controller.abort(reason), 50);
    });
    await expect(fetchSmall({ signal: controller.signal, pauses: [60_000] })).rejects.toBe(reason);
    expect(testRequests()).toHaveLength(1);
  });
});
