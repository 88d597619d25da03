import { expect, test } from 'vitest';
import { freeName } from './free-name.ts';

test('a name that is taken gets the next number, and stays within its length', () => {
  expect(freeName(' labels ', new Set(), 100)).toBe('labels');
  expect(freeName('labels', new Set(['labels', 'labels (2)']), 100)).toBe('labels (3)');
  expect(freeName('labels', new Set(['label', 'labels']), 6)).toBe('la (2)');
});
