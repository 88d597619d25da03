import { type CategoricalColumn, packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { detectObsRoles } from './detect-obs-roles.ts';
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

test('columns of ontology ids are neither metadata nor offered for a role, where the file has their labels', () => {
  const halves = (...categories: string[]) => column(categories, [0, 1, 1]);
  const columns = new Map([
    ['cell_type', column(['T cell'], [-1, -1, -1])],
    ['cell_type_ontology_term_id', halves('CL:0000084', 'CL:0000236')],
    ['tissue', halves('lung', 'skin')],
    ['tissue_ontology_term_id', halves('UBERON:0002048', 'UBERON:0002097')],
    ['assay_ontology_term_id', halves('EFO:0009922', 'EFO:0009899')],
  ]);
  const table = { rowCount: 3, indexName: '_index', index: packStrings(['a', 'b', 'c']), columns };
  const { chosen, metadata, reports } = detectObsRoles('a.h5ad', table, {});
  expect(chosen.cellType).toBe('cell_type');
  expect(Object.keys(metadata)).toEqual(['tissue', 'assay_ontology_term_id']);
  const offered = reports.flatMap(({ alternatives }) => alternatives);
  expect(new Set(offered)).toEqual(new Set(['tissue', 'assay_ontology_term_id']));
  expect(detectObsRoles('a.h5ad', table, { cellType: 'cell_type_ontology_term_id' }).chosen.cellType).toBe(
    'cell_type_ontology_term_id',
  );
});
