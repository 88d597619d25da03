import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { wordFaults } from './plain-words.mjs';

test.each([
  ['/** Of the cells that were tested. */', 'begins with “Of”'],
  ['/**\n * What a figure shows.\n */', 'begins with “What”'],
  ['/** Redrawn anew. */', '“anew”'],
])('the docstring %j is refused', (text, fault) => {
  expect(wordFaults(`const a = 1;\n${text}`)).toEqual([expect.stringContaining(`2: ${fault}`)]);
});

test('docstrings that begin with the thing or the verb, and other comments, pass', () => {
  expect(
    wordFaults('/** Offers a retry. */\n/** Thatched roofs. */\n// Of no concern here, whoever reads it.'),
  ).toEqual([]);
});
