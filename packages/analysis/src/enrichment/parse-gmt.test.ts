import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InvalidGmt, parseGmt } from './parse-gmt.ts';

test('a set is a name, a description and genes, whatever ends the lines', () => {
  const sets = [
    { name: 'Glycolysis', genes: ['HK1', 'PFKM'] },
    { name: 'Empty description', genes: ['TP53'] },
  ];
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['Glycolysis\thttps://example.org\tHK1\tPFKM', '', 'Empty description\t\tTP53', ''].join(
      end,
    );
    expect(parseGmt(text, 'mine.gmt')).toEqual({ sets, warnings: [] });
    expect(parseGmt(`\uFEFF${text}`, 'mine.gmt')).toEqual({ sets, warnings: [] });
  }
});

test("weights of Enrichr's text form are cut off, and commas in names are kept", () => {
  const text = 'Set, with comma\t\tTP53,1.0\tMYC,0.5\tEGFR,-2e-3\tIL2,IL3\t\tTP53,1.0\t';
  expect(parseGmt(text, 'x').sets).toEqual([
    { name: 'Set, with comma', genes: ['TP53', 'MYC', 'EGFR', 'IL2,IL3'] },
  ]);
});

test('names are kept as they are, however hostile, but for the white space around them', () => {
  const text = ' __proto__ \t\t constructor \t<b>x</b>\n=1+1\t<img>\t@SUM\n';
  expect(parseGmt(text, 'x').sets).toEqual([
    { name: '__proto__', genes: ['constructor', '<b>x</b>'] },
    { name: '=1+1', genes: ['@SUM'] },
  ]);
});

test('a set without genes, a name that comes again and letters that cannot be read give warnings with their line', () => {
  const text = 'a\t\tA\nempty\tdescription\nb\t\tB\n\na\t\tC\nSj\uFFFDgren\t\tD\nstill empty\t\t\t \n';
  expect(parseGmt(text, 'mine.gmt')).toEqual({
    sets: [
      { name: 'a', genes: ['C'] },
      { name: 'b', genes: ['B'] },
      { name: 'Sj\uFFFDgren', genes: ['D'] },
    ],
    warnings: [
      'mine.gmt, line 2: the set "empty" has no genes and is left out.',
      'mine.gmt, line 5: the set "a" was on line 1 already; the later one is kept.',
      'mine.gmt, line 6: the name of the set "Sj\uFFFDgren" is not UTF-8; save the file as UTF-8.',
      'mine.gmt, line 7: the set "still empty" has no genes and is left out.',
    ],
  });
});

const zipped = gzipSync('Glycolysis\t\tHK1\tPFKM\n').toString();

test.each([
  ['an empty file', '', undefined, 'the file is empty; fetch it again.'],
  ['white space', '\uFEFF \n\t\n', undefined, 'the file is empty; fetch it again.'],
  ['a web page', '\n<!DOCTYPE html>\n<html><body>502</body></html>', 1, 'this is a web page'],
  ['a bare web page', '<html>\t\t</html>', 1, 'this is a web page'],
  ['an XML answer', '<?xml version="1.0"?><Error/>', 1, 'this is a web page'],
  ['sets without genes only', 'a\tb\nc\t\t\n', undefined, 'no set has a gene'],
  ['a list of genes', 'a\t\tA\nTP53\nMYC\n', 2, 'there is no tab'],
  ['a JSON answer', '{"error": "no library"}', 1, 'there is no tab'],
  ['a line without a name', 'a\t\tA\n\n\t\tB\n', 3, 'the set has no name'],
  ['a compressed file', zipped, 1, 'this is not UTF-8 text'],
  ['a file in UTF-16', 'a\t\tA\nb\0\t\0', 2, 'this is not UTF-8 text'],
])('%s is refused with its place and what the form is', (_, text, line, reason) => {
  let refused: unknown;
  try {
    parseGmt(text, 'mine.gmt');
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(InvalidGmt);
  expect(refused).toMatchObject({ name: 'InvalidGmt', fileName: 'mine.gmt', line });
  const place = line === undefined ? 'mine.gmt: ' : `mine.gmt, line ${line}: `;
  expect((refused as Error).message.startsWith(place + reason)).toBe(true);
});

test('sets whose names are endless and differ in their end only stay two, under names of bounded length', () => {
  const name = (end: string) => `${'x'.repeat(1_000_000)}${end}`;
  const { sets, warnings } = parseGmt(`${name('a')}\t\tTP53\n${name('b')}\t\tEGFR\n`, 'long.gmt');
  expect(sets.map(({ genes }) => genes)).toEqual([['TP53'], ['EGFR']]);
  expect(new Set(sets.map((set) => set.name)).size).toBe(2);
  for (const set of sets) expect(set.name.length).toBeLessThanOrEqual(500);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain('long.gmt, line 1: the set "xxx');
  expect(warnings[0]!.length).toBeLessThan(300);
});
