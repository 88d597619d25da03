import { expect, test } from 'vitest';
import { z } from 'zod';
import { count, declareAnalysis, figure, number, optional, text } from './declare.ts';
import { field, formOf } from './form.ts';
import { serve } from './serve.ts';

const small = declareAnalysis({
  id: 'small',
  title: 'Small',
  task: 'compare',
  question: 'How small?',
  questionPhrases: ['small'],
  icon: 'pie',
  summary: 'A small one',
  path: '/api/small',
  request: z.object({ k: z.number().default(3) }),
  result: z.object({ n: z.number() }),
  table: { name: text('Name'), x: number('X'), y: optional(count('Y')) },
  rows: { one: 'row', many: 'rows', order: 'by name' },
  figure: figure<{ readonly heights: readonly number[] }>('small-bars', 'Bars'),
  cautions: {
    'few-cells': ({ cells }: { cells: number }, { request }) => `${cells} cells, ${request.k} wanted`,
    ties: () => 'There are ties.',
  },
  headline: [],
  describe: ({ k }) => [`rows of ${k}`, 'how'],
});

const outcome = {
  request: { k: 3 },
  result: { n: 1 },
  table: { name: ['a'], x: Float64Array.of(1) },
  cautions: [{ code: 'few-cells', numbers: { cells: 2 } } as const, { code: 'ties' } as const],
  drawing: { heights: [1] },
};
const facts = () => [];

test('what an analysis returns has to be as it is declared, which the compiler checks', () => {
  const analysis = serve(small, { run: async () => outcome, facts });
  expect(analysis.declaration).toBe(small);
  // @ts-expect-error -- the table lacks a column
  serve(small, { run: async () => ({ ...outcome, table: { name: ['a'] } }), facts });
  // @ts-expect-error -- a column of names has numbers
  serve(small, { run: async () => ({ ...outcome, table: { name: [1], x: [1] } }), facts });
  // @ts-expect-error -- the code is not declared
  serve(small, { run: async () => ({ ...outcome, cautions: [{ code: 'few-genes' } as const] }), facts });
  // @ts-expect-error -- the caution lacks the number that its text is made of
  serve(small, { run: async () => ({ ...outcome, cautions: [{ code: 'few-cells' } as const] }), facts });
  // @ts-expect-error -- the result lacks a field
  serve(small, { run: async () => ({ ...outcome, result: {} }), facts });
  // @ts-expect-error -- the figure draws something else
  serve(small, { run: async () => ({ ...outcome, drawing: {} }), facts });
  // @ts-expect-error -- the code has no rank among the cautions of all results
  declareAnalysis({ ...small, cautions: { 'no-such-code': () => '' } });
});

test('a form is no part of the schema that OpenAPI is made of, and of one analysis alone', () => {
  const shared = z.number().min(1).default(2).meta({ title: 'K', description: 'Neighbors.' });
  const own = field(shared, { label: 'Neighbors of a cell', step: 5 });
  expect(formOf(own)).toEqual({ label: 'Neighbors of a cell', step: 5 });
  expect(formOf(shared)).toBeUndefined();
  expect(z.toJSONSchema(own)).toEqual(z.toJSONSchema(shared));
});
