import { type CategoricalColumn, packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { findTermColumns } from './term-columns.ts';

const column = (categories: readonly string[], codes: readonly number[]): CategoricalColumn => ({
  kind: 'categorical',
  codes: Int8Array.from(codes),
  categories,
  categoryType: 'string',
  ordered: false,
});

test('columns of ontology ids are counted with their labels, and a label with several ids is named', () => {
  const columns = new Map([
    ['cell_type', column(['B cell', 'T cell'], [0, 1, 1])],
    ['cell_type_ontology_term_id', column(['CL:0000084', 'CL:0000236', 'CL:0000624'], [1, 0, 2])],
    ['tissue', column(['lung'], [0, 0, 0])],
    ['tissue_ontology_term_id', column(['UBERON:0002048'], [0, 0, 0])],
    ['assay_ontology_term_id', column(['EFO:0009922'], [0, 0, 0])],
  ]);
  const index = packStrings(['a', 'b', 'c']);
  expect(findTermColumns({ rowCount: 3, indexName: '_index', index, columns })).toEqual({
    terms: [
      { labels: 'cell_type', column: 'cell_type_ontology_term_id', terms: 3 },
      { labels: 'tissue', column: 'tissue_ontology_term_id', terms: 1 },
    ],
    warnings: [
      {
        code: 'several-terms',
        message:
          "In cell_type_ontology_term_id one label of cell_type has several ontology ids: 'T cell' (CL:0000084, CL:0000624). The cells keep theirs; check which is meant.",
      },
    ],
  });
});
