import { expect, test } from 'vitest';
import { geneLinks } from './gene-links.ts';

const urls = (gene: Parameters<typeof geneLinks>[0]) => geneLinks(gene).map(({ url }) => url);

test('a gene is looked up by its id where there is one', () => {
  expect(urls({ symbol: 'CD79A', id: 'ENSG00000105369', species: 'human' })).toEqual([
    'https://www.ncbi.nlm.nih.gov/gene/?term=ENSG00000105369',
    'https://www.ensembl.org/id/ENSG00000105369',
    'https://www.genecards.org/cgi-bin/carddisp.pl?gene=ENSG00000105369',
    'https://www.proteinatlas.org/ENSG00000105369',
  ]);
});

test('else by its symbol and species, where GeneCards and the atlas have human genes alone', () => {
  expect(urls({ symbol: 'Cd79a', id: undefined, species: 'mouse' })).toEqual([
    'https://www.ncbi.nlm.nih.gov/gene/?term=Cd79a%5BGene+Name%5D+AND+Mus+musculus%5BOrganism%5D',
    'https://www.ensembl.org/Mus_musculus/Gene/Summary?g=Cd79a',
  ]);
});

test('names of strangers stay within their field', () => {
  for (const url of urls({ symbol: '"><script>&g=/../x', id: undefined, species: null })) {
    expect(url).not.toMatch(/["<>]|&g=|\.\.\//);
  }
});
