import { expect, test } from 'vitest';
import { compileLibrary, geneSetColumns } from '../enrichment/gene-sets.ts';
import { GeneBackground } from '../enrichment/gene-background.ts';
import { overRepresentation } from '../enrichment/over-representation.ts';
import { countGeneIds, detectSpecies } from './detect-species.ts';
import { InvalidOrthologues, parseOrthologues } from './parse-orthologues.ts';

const mouseHuman = { from: 'mouse', to: 'human' } as const;

test.each([
  ['human', ['CD3E', 'C1orf43', 'MT-CO1', 'HLA-DRA', 'AC012345.1', 'Y_RNA']],
  ['mouse', ['Cd3e', 'mt-Co1', 'H2-Aa', '1700001A04Rik', 'Gm1234', 'AC1234.1', 'ERCC-00002']],
  ['rat', ['Cd3e', 'RGD1305464', 'Mt-co1', 'AABR07000001.1', 'Gfap', 'Aqp4', 'Snap25']],
  ['zebrafish', ['cd3e', 'gfap', 'si:ch211-1b2.3', 'mt-co1', 'Y_RNA']],
] as const)('the way symbols are written is that of %s', (species, symbols) => {
  expect(detectSpecies(symbols)).toMatchObject({ species, by: 'symbols' });
});

test.each([
  ['ENSG00000000003.14', 'human'],
  ['ENSMUSG00000000001', 'mouse'],
  ['ENSRNOG00000000001', 'rat'],
  ['ENSDARG00000000001', 'zebrafish'],
  ['FBgn0000003', 'fruit fly'],
  ['WBGene00000001', 'worm'],
] as const)('ids such as %s are of %s, whatever the symbols look like', (id, species) => {
  const detected = detectSpecies(
    ['CD3E', 'GFAP', 'AQP4'],
    [
      ['a', 'b', 'c'],
      [id, id, ''],
    ],
  );
  expect(detected).toEqual({ species, by: 'ids', matching: 2, looked: 3 });
  expect(detectSpecies([id])).toMatchObject({ species, by: 'ids' });
});

test('names that say nothing, or contradict each other, are no species', () => {
  expect(detectSpecies([])).toEqual({ by: 'nothing', matching: 0, looked: 0 });
  expect(detectSpecies(['1', '2', '7-3'])).toEqual({ by: 'nothing', matching: 0, looked: 0 });
  expect(detectSpecies(['CD3E', 'Cd3e'])).toEqual({ by: 'nothing', matching: 1, looked: 2 });
  expect(countGeneIds(['ENSG00000000003.14', 'ENST00000000003', 'GAPDH', 'ENSABCG00000000001'])).toBe(2);
});

test.each([
  ['two columns without headings', 'Gfap\tGFAP\nH2-Aa\tHLA-DQA1\n', 0],
  ['two columns with headings, as CSV', '"mouse","human"\r\n"Gfap","GFAP"\r\n"H2-Aa","HLA-DQA1"\r\n', 0],
  [
    'an export of Ensembl BioMart of mouse genes',
    [
      'Gene stable ID,Gene name,Human gene stable ID,Human gene name,Human homology type',
      'ENSMUSG1,Gfap,ENSG1,GFAP,ortholog_one2one',
      'ENSMUSG1,Gfap,ENSG1,GFAP,ortholog_one2one',
      'ENSMUSG2,H2-Aa,ENSG2,HLA-DQA1,ortholog_one2many',
      'ENSMUSG3,Gm1,,,',
    ].join('\n'),
    1,
  ],
  [
    'HOM_MouseHumanSequence.rpt of MGI',
    [
      'DB Class Key\tCommon Organism Name\tNCBI Taxon ID\tSymbol\tEntrezGene ID',
      '1\tmouse, laboratory\t10090\tGfap\t1',
      '1\thuman\t9606\tGFAP\t2',
      '2\tmouse, laboratory\t10090\tH2-Aa\t3',
      '2\thuman\t9606\tHLA-DQA1\t4',
      '3\tmouse, laboratory\t10090\tGm1\t5',
    ].join('\n'),
    1,
  ],
])('orthologues are read from %s', (_, text, incomplete) => {
  expect(parseOrthologues(text, 'x.tsv', mouseHuman)).toEqual({
    pairs: [
      ['Gfap', 'GFAP'],
      ['H2-Aa', 'HLA-DQA1'],
    ],
    incomplete,
  });
});

test('the columns are found whichever species comes first, and a class pairs all its genes', () => {
  const table = 'Human gene name\tMouse gene name\nGFAP\tGfap';
  expect(parseOrthologues(table, 'x', mouseHuman).pairs).toEqual([['Gfap', 'GFAP']]);
  const classes = [
    'DB Class Key\tCommon Organism Name\tSymbol',
    '1\tmouse, laboratory\tA1\n1\tmouse, laboratory\tA2\n1\thuman\tA\n1\thuman\tB',
  ].join('\n');
  expect(parseOrthologues(classes, 'x', mouseHuman).pairs).toHaveLength(4);
});

test.each([
  ['', 'which columns'],
  ['Gfap\t\nAqp4\t', 'no line names two genes'],
  ['a\tb\tc\nd\te\tf', 'which columns'],
  ['Gfap', 'which columns'],
  ['Gfap\tGFAP\u0000', 'a name that is none'],
  [`Gfap\t${'x'.repeat(101)}`, 'a name that is none'],
  ['DB Class Key\tName\n1\tx', 'organism and symbol'],
])('a file that is no table is refused in words: %j', (text, words) => {
  const read = () => parseOrthologues(text, 'x.tsv', mouseHuman);
  expect(read).toThrow(InvalidOrthologues);
  expect(read).toThrow(words);
});

test('mapped genes meet the sets by their orthologues, and a list by the names of the dataset', () => {
  const background = new GeneBackground(['Aa1', 'Aa2', 'Bb', 'A'], ['A', 'A', 'B', 'C']);
  const library = compileLibrary(
    geneSetColumns([
      { name: 'x', genes: ['A', 'B', 'X'] },
      { name: 'y', genes: ['C'] },
      { name: 'z', genes: ['X'] },
    ]),
    background,
  );
  expect(library).toMatchObject({ shrunk: 1, dropped: 1 });
  const result = overRepresentation(library, background, ['AA2', 'bb', 'B', 'nowhere']);
  // The gene A of the dataset is not the A of the library, which Aa1 and Aa2 stand for.
  expect(result).toMatchObject({
    backgroundSize: 3,
    queryGenes: ['Aa1', 'Bb'],
    notInBackground: ['nowhere'],
    terms: ['x'],
  });
  expect(overRepresentation(library, background, ['a']).terms).toEqual(['y']);
});
