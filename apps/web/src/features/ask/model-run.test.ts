import type { RunEvent } from '@cellfolio/assistant';
import { expect, test } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import { mapContentOf } from './map-content.ts';
import { cautionsOfResult, newRun, streamRun, withEvent } from './model-run.ts';

const usage = { input_tokens: 10, output_tokens: 2 };
const events: RunEvent[] = [
  { kind: 'missing', genes: ['FOXP99'] },
  { kind: 'step', step: 's1' },
  { kind: 'progress', step: 's1', stage: 'Ranking genes', done: 1, total: 4 },
  { kind: 'result', step: 's1', tool: 'analyze_markers', result: { warnings: [] }, calls: [] },
  { kind: 'step', step: 's2' },
  { kind: 'refused', step: 's2', error: { code: 'x', message: 'No cells are left.' } },
  { kind: 'sentence', parts: [{ text: 'It is ' }, { value: '5', step: 's1', path: '/rows/0/scores' }] },
  { kind: 'caution', step: 's1', code: 'few', message: 'Few cells.' },
  { kind: 'end', struck: 1, usage },
];
const request = {
  question: 'Why?',
  dataset: { filename: 'a.h5ad', version: '1' },
  plan: { steps: [], cannot: null },
};

function run(...streamed: readonly string[]) {
  const fake = fakeServices();
  fake.answer('/api/assistant/run', () => new Response(streamed.join('')));
  const read: RunEvent[] = [];
  const { signal } = new AbortController();
  const end = streamRun(fake.services.api, request, { signal, onEvent: (event) => read.push(event) });
  return { fake, read, end };
}
const sent = (event: RunEvent) => `data: ${JSON.stringify(event)}\n\n`;

test('events become the states of steps and the answer', () => {
  const [first, second] = [events.slice(0, 3), events].map((some) => some.reduce(withEvent, newRun));
  expect(first!.steps.get('s1')).toEqual({
    kind: 'running',
    progress: { stage: 'Ranking genes', done: 1, total: 4 },
  });
  expect(first!.answer.end).toBeUndefined();
  expect([...second!.steps.values()].map(({ kind }) => kind)).toEqual(['done', 'refused']);
  expect(second!.answer).toMatchObject({
    missingGenes: ['FOXP99'],
    sentences: [[{ text: 'It is ' }, { value: '5' }]],
    cautions: [{ message: 'Few cells.' }],
    end: { struck: 1, usage },
  });
  const failed = withEvent(second!, { kind: 'error', error: { code: 'model_failed', message: 'Busy.' } });
  expect(failed.failure).toBe('Busy.');
});

test('a stream is read to its end, and one that breaks off is an error behind its events', async () => {
  const whole = run(': open\n\n', ...events.map(sent));
  await whole.end;
  expect(whole.read).toEqual(events);
  expect(whole.fake.requests[0]).toMatchObject({ method: 'POST', body: request });
  const cut = run(...events.slice(0, -1).map(sent));
  await expect(cut.end).rejects.toThrow('The connection ended before the answer was complete');
  expect(cut.read).toHaveLength(events.length - 1);
});

test('a run that is refused rejects with the sentence of the server', async () => {
  const fake = fakeServices();
  fake.answer('/api/assistant/run', () => json({ code: 'too_many', message: 'Wait for its answer.' }, 429));
  const { signal } = new AbortController();
  await expect(streamRun(fake.services.api, request, { signal, onEvent: () => {} })).rejects.toMatchObject({
    body: 'Wait for its answer.',
  });
});

test('cautions are read of analyses and of figures', () => {
  expect(cautionsOfResult({ warnings: [{ code: 'a', message: 'Few cells.' }] })).toEqual(['Few cells.']);
  expect(cautionsOfResult({ cautions: ['No samples.'] })).toEqual(['No samples.']);
  expect(cautionsOfResult({ warnings: 3 })).toEqual([]);
});

test.each([
  [{ content: { kind: 'gene-violin', gene: 'cd8a', by: 'treatment' } }, { kind: 'gene-umap', gene: 'CD8A' }],
  [{ genes: ['none', 'CD8A'] }, { kind: 'gene-umap', gene: 'CD8A' }],
  [{ groupby: 'cell_type' }, { kind: 'obs-umap', column: 'ann' }],
  [{ groupby: 'total_counts' }, { kind: 'obs-umap', column: 'total_counts' }],
  [{ a: { filter: { cell_type: ['T cell'] } } }, { kind: 'obs-umap', column: 'ann' }],
  [
    { a: { filter: { patient_metadata: { 'Given drug': ['x'] } } } },
    { kind: 'obs-umap', column: 'treatment' },
  ],
  [{ groupby: '__proto__', gene: 'NONE' }, undefined],
])('the map is colored by what a step with %o is about', (args, content) => {
  const columns = {
    cell_types: 'ann',
    leiden_clusters: 'leiden',
    patient_metadata: [{ field: 'Given drug', column: 'treatment' }],
  };
  const columnNames = new Set(['ann', 'leiden', 'treatment', 'total_counts']);
  const spelling = new Map([['cd8a', 'CD8A']]);
  expect(mapContentOf({ arguments: args }, { columns, columnNames }, { spelling })).toEqual(content);
});
