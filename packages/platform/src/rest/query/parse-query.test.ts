import { expect, test } from 'vitest';
import { parseQuery, scopeKey } from './parse-query.ts';
import type { Condition, Field, Test } from './request-query.ts';

const query = (text: string, skip?: Set<string>) => parseQuery(new URLSearchParams(text), skip);
const field = (name: string, ...path: Field['path']): Field => ({ name, path });
const filter = (name: string, test: Test, negated = false): Condition => ({
  kind: 'filter',
  field: field(name),
  negated,
  test,
});
const is = (value: string): Test => ({ kind: 'is', value });
const compare = (operator: string, value: string): Test => ({ kind: 'compare', operator, value });
const conditions = (text: string, ...path: string[]) => query(text).scopes.get(scopeKey(path))?.conditions;

test('the requests of the product are read as the client writes them', () => {
  const images = query('select=*&user_id=eq.U&order=created_at.desc&limit=30');
  expect(images.select).toEqual([{ kind: 'all' }]);
  expect(images.scopes.get('')).toEqual({
    conditions: [filter('user_id', compare('eq', 'U'))],
    order: [{ field: field('created_at'), descending: true }],
    limit: 30,
    offset: 0,
  });
  expect(conditions('id=in.%28a%2C%22b%2Cc%22%2Cd%29')).toEqual([
    filter('id', { kind: 'in', values: ['a', 'b,c', 'd'] }),
  ]);
  expect(conditions('dataset_name=eq.GSE1+file.h5ad')).toEqual([
    filter('dataset_name', compare('eq', 'GSE1 file.h5ad')),
  ]);
  expect(conditions('original_filename=ilike.%25.h5ad')).toEqual([
    filter('original_filename', compare('ilike', '%.h5ad')),
  ]);
  expect(query('columns=%22name%22%2C%22email%22').columns).toEqual(['name', 'email']);
});

test.each<[string, Test, boolean?]>([
  ['a=eq.', compare('eq', '')],
  ['a=eq.null', compare('eq', 'null')],
  ['a=eq."quoted"', compare('eq', '"quoted"')],
  ['a=eq.with.dots,commas)and(', compare('eq', 'with.dots,commas)and(')],
  ['a=not.eq.1', compare('eq', '1'), true],
  ['a=like.*x_y*', compare('like', '%x_y%')],
  ['a=match.^x*', compare('match', '^x*')],
  ['a=cs.{a,b}', compare('cs', '{a,b}')],
  ['a=is.null', is('null')],
  ['a=is.NOT_NULL', is('not null')],
  ['a=not.is.unknown', is('unknown'), true],
  ['a=in.()', { kind: 'in', values: [] }],
  ['a=in.("")', { kind: 'in', values: [''] }],
  ['a=in.(a,)', { kind: 'in', values: ['a', ''] }],
  [String.raw`a=in.("a\"b","c\\d")`, { kind: 'in', values: ['a"b', String.raw`c\d`] }],
  ['a=in.(say "hi",x)', { kind: 'in', values: ['say "hi"', 'x'] }],
  // The client does not escape quotes inside a value that it quotes.
  ['a=in.("a"b,c)', { kind: 'in', values: ['"a"b', 'c'] }],
  ['a=in.("a"b,"c,d")', { kind: 'in', values: ['"a"b', 'c,d'] }],
  ['a=in.("say, "hi" (x)",b)', { kind: 'in', values: ['say, "hi" (x)', 'b'] }],
  ['a=not.in.(1,2)', { kind: 'in', values: ['1', '2'] }, true],
  ['a=like(any).{*a,b*}', { kind: 'quantified', operator: 'like', quantifier: 'any', value: '{%a,b%}' }],
  ['a=fts(english).cat', { kind: 'search', operator: 'fts', language: 'english', value: 'cat' }],
  ['a=wfts.cat', { kind: 'search', operator: 'wfts', value: 'cat' }],
])('the filter %s', (text, expected, negated = false) => {
  expect(conditions(text)).toEqual([filter('a', expected, negated)]);
});

test.each([
  String.raw`a=match.^(a%2B)(a%2B)(a%2B)\1\2\3$`,
  String.raw`or=(a.imatch.(x)\1,b.eq.1)`,
  String.raw`a=match(any).{^x,(\?=y)}`,
  String.raw`a=match(all).{(x)\\1}`,
  'a=imatch.(x{1,9}){1,9}',
  'a=match.***:x',
  `a=match.${'x'.repeat(101)}`,
  `a=ilike.${'*x'.repeat(501)}`,
])('the pattern of %s is refused before the database sees it', (text) => {
  expect(() => query(text)).toThrowError(expect.objectContaining({ status: 400, code: 'PGRST100' }));
});

test('a pattern that costs one pass over the text is taken', () => {
  expect(conditions(String.raw`a=match.^(T|B) cell\d*[1-9]?$`)).toHaveLength(1);
  expect(conditions('a=match(any).{^x,y$}')).toHaveLength(1);
  expect(conditions(`a=like.${'x'.repeat(1000)}`)).toHaveLength(1);
});

test('filters of one column are all kept', () => {
  expect(conditions('a=gt.1&a=lt.5')).toHaveLength(2);
});

test('logic trees nest, negate and quote', () => {
  expect(conditions('or=(a.eq.1,not.and(b.gt.2,c.in.(x,"y,z")),d.not.is.null,e.eq."p,q)")')).toEqual([
    {
      kind: 'logic',
      operator: 'or',
      negated: false,
      children: [
        filter('a', compare('eq', '1')),
        {
          kind: 'logic',
          operator: 'and',
          negated: true,
          children: [filter('b', compare('gt', '2')), filter('c', { kind: 'in', values: ['x', 'y,z'] })],
        },
        filter('d', is('null'), true),
        filter('e', compare('eq', 'p,q)')),
      ],
    },
  ]);
  expect(conditions('not.or=(a.cs.{x,y},b.eq.1)')).toEqual([
    {
      kind: 'logic',
      operator: 'or',
      negated: true,
      children: [filter('a', compare('cs', '{x,y}')), filter('b', compare('eq', '1'))],
    },
  ]);
});

test('parameters of an embedded table are kept apart', () => {
  const parsed = query('select=*,b(c,d(*))&b.c=eq.1&b.d.order=e&b.limit=2&b.not.or=(c.is.null)&b.offset=1');
  expect(parsed.scopes.get(scopeKey(['b']))).toMatchObject({ limit: 2, offset: 1 });
  expect(parsed.scopes.get(scopeKey(['b']))?.conditions).toHaveLength(2);
  expect(parsed.scopes.get(scopeKey(['b', 'd']))?.order).toEqual([{ field: field('e'), descending: false }]);
});

test('a selection has aliases, casts, JSON paths and related tables', () => {
  expect(
    query('select=id,n:name,"odd,name",size::text,g:data->a->0->>"b c"::int4,k:rel!fk!inner(*,x),...one(y)')
      .select,
  ).toEqual([
    { kind: 'column', field: field('id') },
    { kind: 'column', field: field('name'), alias: 'n' },
    { kind: 'column', field: field('odd,name') },
    { kind: 'column', field: field('size'), cast: 'text' },
    {
      kind: 'column',
      field: field(
        'data',
        { key: 'a', asText: false },
        { key: 0, asText: false },
        { key: 'b c', asText: true },
      ),
      alias: 'g',
      cast: 'int4',
    },
    {
      kind: 'embed',
      target: 'rel',
      alias: 'k',
      hint: 'fk',
      inner: true,
      spread: false,
      items: [{ kind: 'all' }, { kind: 'column', field: field('x') }],
    },
    {
      kind: 'embed',
      target: 'one',
      inner: false,
      spread: true,
      items: [{ kind: 'column', field: field('y') }],
    },
  ]);
  expect(query('select=').select).toEqual([]);
});

test('an order has directions, places of nulls, JSON paths and related columns', () => {
  expect(query('order=a,b.desc.nullslast,c->x.asc,d.nullsfirst,rel(e).desc').scopes.get('')?.order).toEqual([
    { field: field('a'), descending: false },
    { field: field('b'), descending: true, nulls: 'last' },
    { field: field('c', { key: 'x', asText: false }), descending: false },
    { field: field('d'), descending: false, nulls: 'first' },
    { relation: 'rel', field: field('e'), descending: true },
  ]);
});

test('parameters named like arguments are left to the function', () => {
  expect(query('key=eq&b=eq.1', new Set(['key'])).scopes.get('')?.conditions).toHaveLength(1);
});

test.each([
  'a=1',
  'a=',
  'a=xx.1',
  'a=eq',
  'a=eq(some).1',
  'a=is.maybe',
  'a=in.1,2',
  'a=in.(1',
  'a=in.(1)x',
  'a=neq(any).{1}',
  'a..b=eq.1',
  '.a=eq.1',
  '=eq.1',
  'a->=eq.1',
  'a->>99999999999=eq.1',
  `a=fts.${'! '.repeat(40)}b`,
  'or=a.eq.1',
  'or=(a.eq.1',
  'or=()',
  'or=(a)',
  `or=${'(or'.repeat(30)}`,
  `or=${'(and('.repeat(30)}`,
  'select=a,,b',
  'select=a b(',
  'select=rel(',
  'select=rel(*))',
  `select=${'a('.repeat(20)}*${')'.repeat(20)}`,
  'select=a::',
  'order=',
  'order=a.up',
  'order=a.desc.last',
  'limit=x',
  'limit=1e9',
  'columns=a,',
  'on_conflict=,',
])('%s cannot be read, and is refused as such', (text) => {
  expect(() => query(text)).toThrowError(expect.objectContaining({ status: 400, code: 'PGRST100' }));
});

test.each(['select=count()', 'select=a.sum()', 'select=rel(b.max())'])(
  'aggregates are refused by name: %s',
  (text) => {
    expect(() => query(text)).toThrowError(expect.objectContaining({ status: 400, code: 'PGRST123' }));
  },
);

test('a range below zero cannot be satisfied', () => {
  expect(() => query('limit=-1')).toThrowError(expect.objectContaining({ status: 416, code: 'PGRST103' }));
});

const times = (count: number, text: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => text(place)).join(',');

test.each([
  [`select=${times(100, (n) => `a${n}:a`)}`, `select=${times(101, (n) => `a${n}:a`)}`, '100 columns'],
  [`select=r(${times(100, () => 'a')})`, `select=b,r(${times(100, () => 'a')})`, '100 columns'],
  [`select=${times(30, (n) => `r${n}:r()`)}`, `select=${times(31, (n) => `r${n}:r()`)}`, '30 related tables'],
  [
    `a=eq.1&or=(${times(99, () => 'a.eq.1')})`,
    `r.a=eq.1&a=eq.1&or=(and(${times(99, () => 'a.eq.1')}))`,
    '100 conditions',
  ],
  [`order=${times(20, () => 'a')}`, `order=${times(20, () => 'a')}&r.order=a`, '20 terms'],
  [
    `or=(${times(10, () => 'a.like.*x*')})`,
    `a=imatch.x&or=(${times(10, () => 'a.not.like.*x*')})`,
    '10 patterns',
  ],
  [`a=like(any).{${times(10, () => 'x')}}`, `a=match(any).{${times(11, () => 'x')}}`, '10 patterns'],
  // Text before the first wildcard is compared in one place only.
  [
    `a=like.${'y'.repeat(500)}*${'x'.repeat(300)}*x`,
    `a=like.*${'x'.repeat(150)}&b=ilike.x*${'_'.repeat(151)}`,
    '300 characters of patterns',
  ],
  [
    `a=like.*${'x'.repeat(200)}*${'x'.repeat(200)}*`,
    `a=like.*${'x'.repeat(200)}\\*${'x'.repeat(200)}*`,
    '300 characters of patterns',
  ],
  [`a=eq.1&b->${'c->'.repeat(19)}d=eq.1`, `b->${'c->'.repeat(20)}d=eq.1`, '20 steps'],
])('%s is within the limits of a request, and %s is refused', (atLimit, more, bound) => {
  expect(() => query(atLimit)).not.toThrow();
  expect(() => query(more)).toThrowError(
    expect.objectContaining({
      status: 400,
      code: 'PGRST100',
      details: expect.stringContaining(`at most ${bound}`),
    }),
  );
});
