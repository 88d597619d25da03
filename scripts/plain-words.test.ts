import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { american, spellingFaults } from './american-spelling.mjs';
// @ts-expect-error Plain JavaScript, as the other checks.
import { nameFaults, titleFaults, wordFaults } from './plain-words.mjs';

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

test.each([
  ['a variable', 'const found = 1;', 'found'],
  ['a variable of a loop', 'for (const given of []) use(given);', 'given'],
  ['an error', 'try { use(); } catch (told) {}', 'told'],
  ['a part of an object', 'const { a: { kept = 1 }, ...rest } = use();', 'kept'],
  ['what is left of an object', 'const { a, ...known } = use();', 'known'],
  ['an element', 'const [, most] = use();', 'most'],
  ['a parameter', 'const of = (asked: string) => asked;', 'asked'],
  ['a parameter with a default', 'function of({ least = 1 }: { a: 1 }) {}', 'least'],
  ['a parameter of a type', 'type Of = (passing: number) => void;', 'passing'],
  ['a member of an interface', 'interface Of { readonly said: string }', 'said'],
  ['a member of a type in a line', 'const of: { standard?: number } = {};', 'standard'],
  ['a private member', 'class Of { #known = 1; }', '#known'],
  ['a function', 'function nobody() {}', 'nobody'],
  ['a type of what is the user’s', 'export type OwnFile = string;', 'OwnFile'],
])('%s that is named by a word of no thing is refused', (_, text, name) => {
  expect(nameFaults(`\n${text}`, 'a.ts')).toEqual([expect.stringContaining(`2: “${name}”`)]);
});

test('keys of a format, calls and words in texts are no declarations', () => {
  const text = [
    'const { kept: keptCells, told: { text } } = use({ kept: 1, found: keptFiles });',
    'const own = keptCells.known; // found',
    'use(`most ${own} and <b>`, "const least = 1", text.asked(1));',
    'interface Of { ownFile: number; keptFiles: string[] }',
  ].join('\n');
  expect(nameFaults(text, 'a.ts')).toEqual([]);
});

test('a name is allowed where an exception lists it', () => {
  const path = 'apps/server/src/features/uploads/own-jobs.ts';
  expect(nameFaults('type Row = { most: number; kept: number };', path)).toEqual([
    expect.stringContaining('1: “kept”'),
  ]);
});

test.each([
  ['test', "test('a user is told', () => {});", 'told'],
  ['describe', "describe('whoever signs in', () => {});", 'whoever'],
  ['test of a table', "test.runIf(true).each([[1]])(\n'%i is asked for', () => {});", 'asked'],
  ['test inside another', "describe('users', () => { it(`${1} is said`, () => {}); });", 'said'],
])('a title of a %s in the private dialect is refused', (_, text, word) => {
  expect(titleFaults(text, 'a.test.ts')).toEqual([expect.stringContaining(`: “${word}” in a title`)]);
});

test('only titles of tests are checked as titles', () => {
  const text = "test.each([['asked']])('a name %s', () => { said('told'); tests('nobody'); });";
  expect(titleFaults(text, 'a.test.ts')).toEqual([]);
  expect(titleFaults("test('a user is told', () => {});", 'a.ts')).toEqual([]);
});

test.each([
  ['a sentence', "say('The colours of neighbouring cells');", 'colours of'],
  ['a label', 'const label = <p title="Normalised">Grey</p>;', 'Normalised'],
  ['a template', 'say(`The catalogue has ${count} datasets`);', 'catalogue'],
])('%s in British spelling is refused', (_, text, words) => {
  expect(spellingFaults(text, 'a.tsx')).toContainEqual(expect.stringContaining(words));
});

test('messages that the database raises are in American spelling, its names are not read', () => {
  const sql = (message: string) =>
    `select colour from colours; raise exception using\n  message = format('${message}', 3);`;
  expect(spellingFaults(sql('Room for the colours of %s columns.'), 'a.sql')).toEqual([
    expect.stringContaining('2: '),
  ]);
  expect(spellingFaults(sql('Room for the colors of %s columns.'), 'a.sql')).toEqual([]);
});

test('names, commands, keys and code in a text have their own spelling', () => {
  const text = [
    "import { colour } from './colour.ts';",
    "say('Use `colour` of catalogue/colour.ts, --licence and orthologues add FILE');",
    "const colour = { colour: 'colour' };",
  ].join('\n');
  expect(spellingFaults(text, 'a.ts')).toEqual([]);
  expect(american('Grey, coloured, unlabelled, analysed and analyses')).toBe(
    'Gray, colored, unlabeled, analyzed and analyses',
  );
});
