import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { wordFaults } from './plain-words.mjs';

test.each([
  ['/** Of the cells that were tested. */', 'begins with “Of”'],
  ['/**\n * What a figure shows.\n */', 'begins with “What”'],
  ['/** Redrawn anew. */', '“anew”'],
  ['  // Those that were tested.', 'begins with “Those”'],
])('the docstring or comment %j is refused', (text, fault) => {
  expect(wordFaults(`const a = 1;\n${text}`)).toEqual([expect.stringContaining(`2: ${fault}`)]);
});

test('docstrings and comments that begin with the thing or the verb pass', () => {
  expect(
    wordFaults(
      '/** Offers a retry. */\n/** Thatched roofs. */\n// Often whole.\nconst a = 1; // Of a comment behind code.',
    ),
  ).toEqual([]);
});
