import { expect, test } from 'vitest';
import { InvalidPairs, maxPairs, parsePairs } from './interaction-pairs.ts';
import { resolvePairs } from './resolve-pairs.ts';

const read = (text: string) => parsePairs(text, 'pairs.csv');
const shortOf = (text: string) =>
  read(text).pairs.map(({ ligand, receptor }) => `${ligand.join('+')} ${receptor.join('+')}`);

test('pairs are read by their headings, with complexes joined by + or _', () => {
  expect(shortOf('receptor,ligand\nCXCR4,CXCL12\nITGAL+ITGB2,ICAM1\n"IL2RA_IL2RB_IL2RG", IL2 \n')).toEqual([
    'CXCL12 CXCR4',
    'ICAM1 ITGAL+ITGB2',
    'IL2 IL2RA+IL2RB+IL2RG',
  ]);
});

test('exports of LIANA and OmniPath, tabs, semicolons, comments and line ends of any system are read', () => {
  expect(shortOf('"","source_genesymbol","target_genesymbol"\r\n"1","LGALS9","PTPRC"\r\n')).toEqual([
    'LGALS9 PTPRC',
  ]);
  expect(shortOf('# of 2024\n\nsource_genesymbol\ttarget_genesymbol\nCOMPLEX:A_B\tC')).toEqual(['A+B C']);
  expect(shortOf('\uFEFFLigand;Receptor\nA;B')).toEqual(['A B']);
});

test('a reference is kept, also one with commas, quotes and line ends in it', () => {
  const { pairs } = read('ligand,receptor,reference\nA,B,"Bleul, ""Nature""\n1996"\nC,D,x');
  expect(pairs.map(({ reference }) => reference)).toEqual(['Bleul, "Nature"\n1996', 'x']);
});

test('pairs that are there twice count once', () => {
  expect(read('ligand,receptor\nA,B\na,b\nB,A')).toMatchObject({ duplicates: 1, pairs: { length: 2 } });
});

test.each([
  ['nothing', '', 'it is empty'],
  ['other headings', 'partner_a,partner_b\nP1,P2', 'the column ligand and the column receptor is missing'],
  [
    'one heading',
    'ligand,target\nA,B',
    'the column receptor is missing among its headings ("ligand", "target")',
  ],
  ['no rows', 'ligand,receptor\n', 'a heading and no pairs'],
  ['a row without a receptor', 'ligand,receptor\nA,B\n\nC', 'line 4: the receptor is missing'],
  ['a subunit without a name', 'ligand,receptor\nA+,B', 'line 2: the ligand has a subunit without a name'],
  [
    'a row after one of two lines',
    'ligand,receptor,reference\nA,B,"x\ny"\nC,',
    'line 4: the receptor is missing',
  ],
  ['a control character', 'ligand,receptor\nA\u0000,B', 'has a name that no gene has'],
  ['too many subunits', `ligand,receptor\n${'A+'.repeat(12)}A,B`, 'more than 12 subunits'],
  ['too many rows', `ligand,receptor\n${'A,B\n'.repeat(maxPairs + 1)}`, '10,001 rows'],
])('%s is refused with the place and the reason', (_, text, message) => {
  expect(() => read(text)).toThrow(InvalidPairs);
  expect(() => read(text)).toThrow(message);
});

test('pairs are found among the genes of a dataset, those that are not are counted', () => {
  const genes = ['A', 'B', 'C', 'HLA_A'];
  const find = (symbol: string) => {
    const row = genes.indexOf(symbol);
    return row < 0 ? undefined : row;
  };
  const { pairs } = read('ligand,receptor\nC,A\nA+B,C\nA,GONE\nHLA_A,A\nB_A,C\nA+A,C');
  const resolved = resolvePairs(pairs, find);
  expect(resolved).toMatchObject({ missing: 1, duplicates: 1 });
  expect([...resolved.rows]).toEqual([0, 1, 2, 3]);
  expect(resolved.pairs).toEqual([
    { pair: 0, ligand: [2], receptor: [0] },
    { pair: 1, ligand: [0, 1], receptor: [2] },
    { pair: 3, ligand: [3], receptor: [0] },
    { pair: 5, ligand: [0], receptor: [2] },
  ]);
});
