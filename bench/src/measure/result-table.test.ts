import { expect, test } from 'vitest';
import { resultTable } from './result-table.ts';

test('a case is a table of medians with their spread, the ratio and the verdict', () => {
  const text = resultTable({
    name: 'import',
    title: 'files',
    load: [0.5, 1.25],
    notes: ['synced'],
    results: [
      {
        quantity: 'time',
        unit: 's',
        ours: [2, 1, 3],
        peer: [8],
        target: { kind: 'ratio-at-least', limit: 1 },
      },
      { quantity: 'memory', unit: 'MiB', ours: [512.4] },
    ],
  });
  expect(text).toBe(
    [
      'import: files (load 0.5 before, 1.3 after)',
      '  quantity  ours                    peer    peer / ours  target',
      '  time      2.00 s [1.00–3.00] n=3  8.00 s  4.00×        ≥ 1×    met',
      '  memory    512 MiB                 –       –',
      '  · synced',
    ].join('\n'),
  );
});
