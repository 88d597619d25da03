import { cellxgeneChoices, curatedFields } from '@cellfolio/contract';
import { expect, it } from 'vitest';
import { checkValue } from './allowed-values.ts';

const field = (name: string) => curatedFields.find((one) => one.name === name)!;
const human = 'NCBITaxon:9606';
const problemOf = (name: string, value: string, organism = human) =>
  checkValue(field(name), organism, value).problem;

it('takes terms of the ontology of a field that are below its roots, and names them', () => {
  expect(checkValue(field('cell_type_ontology_term_id'), human, 'CL:0000084')).toEqual({
    term: 'T cell',
    problem: null,
  });
  expect(problemOf('cell_type_ontology_term_id', 'unknown')).toBeNull();
  expect(problemOf('tissue_ontology_term_id', 'UBERON:0002048')).toBeNull();
  expect(problemOf('assay_ontology_term_id', 'EFO:0009922')).toBeNull();
  expect(problemOf('disease_ontology_term_id', 'PATO:0000461')).toBeNull();
  expect(problemOf('sex_ontology_term_id', 'PATO:0000383')).toBeNull();
});

it('says why another value is not allowed', () => {
  expect(problemOf('cell_type_ontology_term_id', '')).toBe('No value');
  expect(problemOf('cell_type_ontology_term_id', 'T cell')).toMatch(/Not a term of Cell Ontology \(CL\)/);
  expect(problemOf('cell_type_ontology_term_id', 'CL:9999999')).toBe('Cell Ontology has no such term');
  expect(problemOf('cell_type_ontology_term_id', 'CL:0000255')).toMatch(/does not allow/);
  expect(problemOf('assay_ontology_term_id', 'EFO:0010961')).toMatch(/does not allow/);
  expect(problemOf('tissue_type', 'cell line')).toBe('Allowed: tissue, organoid');
  expect(problemOf('donor_id', 'na')).toMatch(/cell lines only/);
});

it('takes several diseases in rising order alone', () => {
  expect(problemOf('disease_ontology_term_id', 'MONDO:0004970 || MONDO:0005061')).toBeNull();
  expect(problemOf('disease_ontology_term_id', 'MONDO:0005061 || MONDO:0004970')).toMatch(/rising order/);
  expect(problemOf('disease_ontology_term_id', 'MONDO:0004970 || PATO:0000461')).toMatch(
    /Only terms of MONDO/,
  );
});

it('lets the organism decide stages and ethnicity', () => {
  const mouse = 'NCBITaxon:10090';
  expect(problemOf('self_reported_ethnicity_ontology_term_id', 'na', mouse)).toBeNull();
  expect(problemOf('self_reported_ethnicity_ontology_term_id', 'na')).not.toBeNull();
  expect(problemOf('development_stage_ontology_term_id', 'HsapDv:0000258')).toBeNull();
  expect(problemOf('development_stage_ontology_term_id', 'HsapDv:0000258', mouse)).toMatch(/Mouse/);
});

it('refuses choices for fields that the schema does not have', () => {
  expect(cellxgeneChoices.safeParse({ fields: { cell_type: { all: 'x' } } }).success).toBe(false);
  expect(cellxgeneChoices.parse({}).fields).toEqual({});
});
