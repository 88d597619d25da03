import { expect, test } from 'vitest';
import { InvalidList } from '../delimited/read-delimited.ts';
import { InvalidMarkers, maxTypes, parseMarkers } from './marker-list.ts';

const parsed = (text: string) => parseMarkers(text, 'markers.csv');

test('rows of one type are put together, and genes stand alone or with blanks between them', () => {
  const { types, duplicates } = parsed(
    '# ours\ncell_type,gene,weight,lineage,reference\nB cell,MS4A1 CD79A,2,B,Author 2001 Nature\nNK cell,"NCAM1;KLRD1",,,\nB cell,cd79a,,,\nB cell,CD19,,,\n',
  );
  expect(types).toEqual([
    {
      type: 'B cell',
      lineage: 'B',
      reference: 'Author 2001 Nature',
      genes: ['MS4A1', 'CD79A', 'CD19'],
      weights: [2, 2, 1],
    },
    { type: 'NK cell', lineage: '', reference: '', genes: ['NCAM1', 'KLRD1'], weights: [1, 1] },
  ]);
  expect(duplicates).toBe(1);
});

test.each([
  ['PanglaoDB', 'species\tofficial gene symbol\tcell type\nHs\tMS4A1\tB cells\n'],
  ['CellMarker', 'species,cell_name,Symbol\nHuman,B cells,MS4A1\n'],
  ['decoupler', 'source,target,weight\nB cells,MS4A1,1\n'],
])('headings of %s are headings', (_, text) => {
  expect(parsed(text).types).toMatchObject([{ type: 'B cells', genes: ['MS4A1'] }]);
});

test.each([
  ['nothing', '', 'it is empty'],
  ['no heading', 'B cell,MS4A1\n', 'the column cell_type and the column gene is missing'],
  ['a heading alone', 'cell_type,gene\n', 'it has a heading and no markers'],
  ['no type', 'cell_type,gene\n,MS4A1\n', 'line 2: the cell type is missing'],
  ['no gene', 'cell_type,gene\nB cell,MS4A1\nB cell,\n', 'line 3: the gene is missing'],
  ['a long gene', `cell_type,gene\nB cell,${'X'.repeat(101)}\n`, 'line 2: the gene has a name'],
  ['a weight below 0', 'cell_type,gene,weight\nB cell,MS4A1,-1\n', 'line 2: the weight "-1"'],
  [
    'too many types',
    `cell_type,gene\n${Array.from({ length: maxTypes + 1 }, (_, i) => `T${i},G`).join('\n')}`,
    'it has 501 types',
  ],
])('a file with %s is refused with its line', (_, text, message) => {
  expect(() => parsed(text)).toThrow(InvalidMarkers);
  expect(() => parsed(text)).toThrow(InvalidList);
  expect(() => parsed(text)).toThrow(`markers.csv: ${message}`);
});
