import { expect, test } from 'vitest';
import { speciesNote } from './lists.ts';

const dataset = (name: 'human' | 'mouse' | 'rat' | 'pig' | null) => ({
  name,
  mapped: name === 'mouse' ? ['human' as const] : [],
  named_as_human: name === 'pig',
});

test('what a dataset cannot have is known before the run, and why', () => {
  expect(speciesNote(dataset('human'), 'human')).toBeUndefined();
  expect(speciesNote(dataset('mouse'), 'mouse')).toBeUndefined();
  expect(speciesNote(dataset('mouse'), 'human')).toMatchObject({
    isRefused: false,
    text: expect.stringContaining('mapped to them by orthologs'),
  });
  expect(speciesNote(dataset('rat'), 'human')).toEqual({
    isRefused: true,
    text: 'Not for this dataset: it has rat genes, and the server has no table that maps human ones to them.',
  });
  expect(speciesNote(dataset('pig'), 'human')?.isRefused).toBe(false);
  expect(speciesNote(dataset('pig'), 'mouse')?.isRefused).toBe(true);
  expect(speciesNote(dataset(null), 'human')?.text).toContain('compared by name');
});
