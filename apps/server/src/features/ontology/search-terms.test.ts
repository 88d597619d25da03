import { expect, test } from 'vitest';
import { searchTerms, termCalled } from './search-terms.ts';
import { termTable } from './term-table.ts';

const labels = (query: string, limit = 5, name: Parameters<typeof termTable.ontology>[0] = 'CL') =>
  searchTerms(termTable.ontology(name), query, limit).map(({ term }) => term.label);

test('an equal label comes first, then an equal synonym, then names that begin so', () => {
  expect(labels('t cell', 1)).toEqual(['T cell']);
  expect(labels('T lymphocyte', 1)).toEqual(['T cell']);
  expect(searchTerms(termTable.ontology('CL'), 'pDC', 1)).toMatchObject([
    { term: { id: 'CL:0000784', label: 'plasmacytoid dendritic cell' }, synonym: 'pDC' },
  ]);
  const begin = labels('natural kil', 50);
  expect(begin[0]).toBe('natural killer cell');
  expect(begin.some((label) => !label.startsWith('natural kil'))).toBe(true);
});

test('words match in any order, each from its beginning, and hyphens are blanks', () => {
  expect(labels('cd8 alpha-beta t mem', 50)).toContain('CD8-positive, alpha-beta memory T cell');
  expect(labels('ymphocyte')).toEqual([]);
  expect(labels('   ')).toEqual([]);
  expect(labels('t', 50)).toHaveLength(50);
});

test('an id finds its term, and that of a deprecated term its successor', () => {
  expect(labels('cl:0000084')).toEqual(['T cell']);
  const { replaced } = termTable.ontology('CL');
  const [old, successor] = [...replaced][0]!;
  expect(searchTerms(termTable.ontology('CL'), old, 5)[0]!.term.id).toBe(successor);
  expect(termTable.term(old)!.id).toBe(successor);
  expect(termTable.term('CL:9999999')).toBeUndefined();
  expect(termTable.term('T cell')).toBeUndefined();
});

test.each([
  ['UBERON', 'lung', 'UBERON:0002048'],
  ['MONDO', 'COVID-19', 'MONDO:0100096'],
  ['EFO', "10x 3' v3", 'EFO:0009922'],
  ['HsapDv', '25-year-old stage', 'HsapDv:0000119'],
  ['PATO', 'female', 'PATO:0000383'],
  ['NCBITaxon', 'human', 'NCBITaxon:9606'],
] as const)('%s has %s', (name, label, id) => {
  expect(termCalled(termTable.ontology(name), label)?.id).toBe(id);
});

test('a name is a term by its label, a synonym or the plural, and never by a part of it', () => {
  const called = (name: string) => termCalled(termTable.ontology('CL'), name)?.id;
  expect(called('T cells')).toBe('CL:0000084');
  expect(called('B_cell')).toBe('CL:0000236');
  expect(called('Plasmacytoid dendritic cells')).toBe('CL:0000784');
  expect(called('pDC')).toBe('CL:0000784');
  expect(called('natural kil')).toBeUndefined();
});
