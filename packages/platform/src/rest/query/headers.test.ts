import { expect, test } from 'vitest';
import { checkProfile, parsePath, parseRange, queryPairs } from '../rest-request.ts';
import { chooseMediaType, parsePreferences } from './headers.ts';
import { parseArguments, parsePayload } from './payload.ts';

test.each([
  [undefined, 'array', 'application/json; charset=utf-8'],
  ['*/*', 'array', 'application/json; charset=utf-8'],
  ['text/html, application/json;q=0.9', 'array', 'application/json; charset=utf-8'],
  ['application/vnd.pgrst.object+json', 'object', 'application/vnd.pgrst.object+json; charset=utf-8'],
  [
    'application/vnd.pgrst.object+json;nulls=stripped',
    'object',
    'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
  ],
  [
    'application/vnd.pgrst.array+json;nulls=stripped',
    'array',
    'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
  ],
  ['text/csv', 'csv', 'text/csv; charset=utf-8'],
])('an Accept of %s is answered as %s', (accept, form, contentType) => {
  expect(chooseMediaType(accept)).toMatchObject({ form, contentType });
});

test.each(['text/html', 'application/geo+json', 'application/vnd.pgrst.plan+json', 'x'])(
  'an Accept of %s alone is refused',
  (accept) => {
    expect(() => chooseMediaType(accept)).toThrowError(
      expect.objectContaining({ status: 406, code: 'PGRST107' }),
    );
  },
);

test('preferences come in one header or several, and the first of a kind counts', () => {
  expect(parsePreferences('return=representation,count=exact, return=minimal')).toMatchObject({
    return: 'representation',
    count: 'exact',
  });
  expect(parsePreferences(['resolution=merge-duplicates', 'missing=default'])).toMatchObject({
    resolution: 'merge-duplicates',
    missing: 'default',
  });
  expect(parsePreferences('handling=strict,max-affected=3').maxAffected).toBe(3);
  expect(parsePreferences('max-affected=3').maxAffected).toBeUndefined();
});

test('an unknown preference is ignored unless handling is strict', () => {
  expect(parsePreferences('tx=rollback,return=everything')).toMatchObject({ return: undefined });
  expect(() => parsePreferences('handling=strict,return=everything')).toThrowError(
    expect.objectContaining({ status: 400, code: 'PGRST122' }),
  );
});

test('a body of rows keeps its text, and is an array', () => {
  expect(parsePayload('{"a":12345678901234567890}', { sameKeys: true })).toEqual({
    text: '[{"a":12345678901234567890}]',
    length: 1,
    keys: ['a'],
  });
  expect(parsePayload('[{"a":1},{"a":2}]', { sameKeys: true })).toMatchObject({ length: 2, keys: ['a'] });
  expect(parsePayload('[{"a":1},{"b":2}]', { sameKeys: false })).toMatchObject({ length: 2 });
  expect(parsePayload('[]', { sameKeys: true })).toMatchObject({ length: 0, keys: [] });
});

test.each(['', ' ', '{', '1', 'null', '"a"', '[1]', '[null]', '[[]]', '[{"a":1},{"b":1}]', '[{"a":1},{}]'])(
  'a body of %j is refused',
  (body) => {
    expect(() => parsePayload(body, { sameKeys: true })).toThrowError(
      expect.objectContaining({ status: 400, code: 'PGRST102' }),
    );
  },
);

test('a body is at most 200 levels deep', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(parsePayload(nested(198), { sameKeys: true })).toMatchObject({ keys: ['a'] });
  for (const levels of [200, 50_000]) {
    expect(() => parsePayload(nested(levels), { sameKeys: true })).toThrowError(
      expect.objectContaining({ code: 'PGRST102' }),
    );
  }
});

test('arguments are an object, or nothing', () => {
  expect(parseArguments('')).toEqual({ text: '{}', keys: [] });
  expect(parseArguments('{"a":1}')).toEqual({ text: '{"a":1}', keys: ['a'] });
  expect(() => parseArguments('[1]')).toThrowError(expect.objectContaining({ code: 'PGRST102' }));
});

test('a path is a table or a function', () => {
  expect(parsePath('/a%20b')).toEqual({ kind: 'table', name: 'a b' });
  expect(parsePath('/rpc/f')).toEqual({ kind: 'function', name: 'f' });
  expect(parsePath('/rpc')).toEqual({ kind: 'table', name: 'rpc' });
  for (const path of ['', '/', '/a/b', '/rpc/f/g']) {
    expect(() => parsePath(path)).toThrowError(expect.objectContaining({ status: 404, code: 'PGRST125' }));
  }
  expect(() => parsePath('/%ff')).toThrowError(expect.objectContaining({ status: 400 }));
});

test('a query string keeps order and repetitions, and never fails', () => {
  expect(queryPairs('/a?x=1&y=a+b%2Bc&x=2')).toEqual([
    ['x', '1'],
    ['y', 'a b+c'],
    ['x', '2'],
  ]);
  expect(queryPairs('/a?%ff=%zz')).toEqual([['\ufffd', '%zz']]);
  expect(queryPairs('/a')).toEqual([]);
});

test('a Range header is a limit and an offset', () => {
  expect(parseRange('0-9')).toEqual({ limit: 10, offset: 0 });
  expect(parseRange('items=5-')).toEqual({ limit: undefined, offset: 5 });
  expect(parseRange('bytes=0-9')).toBeUndefined();
  expect(() => parseRange('9-0')).toThrowError(expect.objectContaining({ status: 416 }));
});

test('only the exposed schema exists', () => {
  expect(() => checkProfile('auth', 'public')).toThrowError(
    expect.objectContaining({ status: 406, code: 'PGRST106' }),
  );
  checkProfile('public', 'public');
});
