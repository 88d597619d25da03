import { expect, test } from 'vitest';
import { readOptions, WrongOptions } from './run-bench.ts';

const caseNames = ['import', 'start'];

test('the default is every case in its default size, with the peer', () => {
  expect(readOptions([], caseNames)).toMatchObject({
    cases: caseNames,
    peer: true,
    keep: false,
    options: { cells: undefined, genes: undefined, density: 0.08, gzip: undefined, repeat: undefined },
  });
});

test('cases and sizes are read from the command line', () => {
  const args = [
    'start',
    '--cells',
    '1000',
    '--density',
    '0.1',
    '--gzip',
    '4',
    '--no-peer',
    '--json',
    'out.json',
  ];
  expect(readOptions(args, caseNames)).toMatchObject({
    cases: ['start'],
    peer: false,
    json: 'out.json',
    options: { cells: 1000, density: 0.1, gzip: 4 },
  });
});

test.each([
  [['imports'], /no case imports; the cases are import, start/],
  [['--cells', '1.5'], /--cells must be a whole number/],
  [['--gzip', '10'], /--gzip must be a whole number from 1 to 9/],
  [['--density', '0.9'], /--density/],
  [['--nothing'], /--nothing/],
])('%o is refused with the reason', (args, message) => {
  const read = () => readOptions(args, caseNames);
  expect(read).toThrow(WrongOptions);
  expect(read).toThrow(message);
});
