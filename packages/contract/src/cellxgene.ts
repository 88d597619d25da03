import { z } from 'zod';
import type { OntologyName } from './ontology.ts';

/** Version of the schema of CELLxGENE Discover that datasets are checked against. */
export const cellxgeneSchema = '7.1.0';

/** Terms that a field may have. */
export interface AllowedTerms {
  readonly ontology: OntologyName;
  /** Terms below one of these, and not these themselves; absent: none but `also`. */
  readonly below?: readonly string[];
  readonly also?: readonly string[];
  readonly never?: readonly string[];
}

export interface CuratedField {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  /** Allowed terms, of the organism where it decides. Absent: values are no terms. */
  readonly terms?: (organism: string) => readonly AllowedTerms[];
  /** Allowed values that are no terms; `any` for text that is not empty. */
  readonly values?: readonly string[] | 'any';
  /** Values that the organism decides alone. */
  readonly fixed?: (organism: string) => string | undefined;
  /** Whether a cell may have several terms, sorted and joined by ` || `. */
  readonly isJoined?: boolean;
  /** Columns of labels whose names are proposed as terms. */
  readonly labels?: readonly string[];
}

export const human = 'NCBITaxon:9606';
export const mouse = 'NCBITaxon:10090';

const unknown = ['unknown'] as const;

/** Columns that curators fill in, in the order in which they are asked. */
export const curatedFields: readonly CuratedField[] = [
  {
    name: 'cell_type_ontology_term_id',
    title: 'Cell type',
    hint: 'The most accurate term; `unknown` where there is none.',
    terms: () => [
      {
        ontology: 'CL',
        below: ['CL:0000000'],
        also: ['CL:0000000'],
        never: ['CL:0000255', 'CL:0000257', 'CL:0000548'],
      },
    ],
    values: unknown,
    labels: ['cell_type', 'celltype', 'cell_types'],
  },
  {
    name: 'tissue_type',
    title: 'Kind of sample',
    hint: 'Cultures and cell lines need terms of other ontologies, which cannot be filled in here.',
    values: ['tissue', 'organoid'],
  },
  {
    name: 'tissue_ontology_term_id',
    title: 'Tissue',
    hint: 'The anatomical structure; of an organoid the one that it models.',
    terms: () => [{ ontology: 'UBERON', below: ['UBERON:0001062'] }],
    labels: ['tissue', 'organ'],
  },
  {
    name: 'disease_ontology_term_id',
    title: 'Disease',
    hint: '`normal` (PATO:0000461) for healthy samples.',
    terms: () => [
      { ontology: 'MONDO', below: ['MONDO:0000001'], also: ['MONDO:0021178'] },
      { ontology: 'PATO', also: ['PATO:0000461'] },
    ],
    isJoined: true,
    labels: ['disease', 'condition', 'diagnosis'],
  },
  {
    name: 'assay_ontology_term_id',
    title: 'Assay',
    hint: 'Such as 10x 3’ v3 (EFO:0009922).',
    terms: () => [{ ontology: 'EFO', below: ['EFO:0002772', 'EFO:0010183'], never: ['EFO:0010961'] }],
    labels: ['assay', 'technology', 'platform'],
  },
  {
    name: 'suspension_type',
    title: 'Suspension',
    hint: 'The assay may decide it.',
    values: ['cell', 'nucleus', 'na'],
  },
  {
    name: 'donor_id',
    title: 'Donor',
    hint: 'One name for each individual; `unknown` if it is not known, `pooled` for several.',
    values: 'any',
    labels: ['donor', 'patient', 'individual', 'sample'],
  },
  {
    name: 'development_stage_ontology_term_id',
    title: 'Developmental stage',
    hint: 'The most accurate stage or age.',
    terms: (organism) => [
      organism === human
        ? { ontology: 'HsapDv', below: ['HsapDv:0000001'] }
        : organism === mouse
          ? { ontology: 'MmusDv', below: ['MmusDv:0000001'] }
          : { ontology: 'UBERON', below: ['UBERON:0000105'], never: ['UBERON:0000071'] },
    ],
    values: unknown,
    labels: ['development_stage', 'stage', 'age'],
  },
  {
    name: 'sex_ontology_term_id',
    title: 'Sex',
    hint: 'Of the donor.',
    terms: () => [{ ontology: 'PATO', also: ['PATO:0000383', 'PATO:0000384', 'PATO:0001340'] }],
    values: unknown,
    labels: ['sex', 'gender'],
  },
  {
    name: 'self_reported_ethnicity_ontology_term_id',
    title: 'Self-reported ethnicity',
    hint: 'Of humans alone.',
    values: unknown,
    fixed: (organism) => (organism === human ? undefined : 'na'),
  },
  {
    name: 'is_primary_data',
    title: 'First publication of these cells',
    hint: '`False` for cells that another dataset of the portal has already.',
    values: ['True', 'False'],
  },
];

const curation = z
  .union([
    z.object({ all: z.string().min(1).max(200) }).describe('One value for all cells.'),
    z
      .object({
        column: z.string().max(500),
        values: z.record(z.string().max(500), z.string().max(500)),
      })
      .describe('The value of each label of a column; labels that are missing keep none.'),
  ])
  .meta({ id: 'CellxgeneCuration' });
export type CellxgeneCuration = z.infer<typeof curation>;

export const cellxgeneChoices = z
  .object({
    title: z.string().trim().max(300).optional(),
    organism: z.string().max(50).optional().describe('Default: that of the file, else of its genes.'),
    fields: z
      .partialRecord(z.enum(curatedFields.map(({ name }) => name) as [string, ...string[]]), curation)
      .default({}),
  })
  .meta({ id: 'CellxgeneChoices' });
export type CellxgeneChoices = z.output<typeof cellxgeneChoices>;

const curatedValue = z.object({
  label: z.string().describe('As the column has it.'),
  cells: z.number().int(),
  value: z.string().nullable(),
  term: z.string().nullable().describe('Label of the term.'),
  isProposed: z.boolean().describe('By a label or exact synonym alone: nobody chose it.'),
  problem: z.string().nullable(),
});

export const cellxgeneCheck = z
  .object({
    schema: z.literal(cellxgeneSchema),
    title: z.string().nullable(),
    organism: z.object({ id: z.string().nullable(), label: z.string().nullable() }),
    fields: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        column: z.string().nullable().describe('Column that the values are from.'),
        values: z.array(curatedValue).describe('Those of most cells first.'),
        more: z.number().int().describe('Values that are not listed.'),
        problems: z.number().int().describe('Cells without an allowed value.'),
      }),
    ),
    other: z.array(z.object({ part: z.string(), text: z.string(), isMissing: z.boolean() })),
    ready: z.boolean(),
  })
  .meta({ id: 'CellxgeneCheck' });
export type CellxgeneCheck = z.infer<typeof cellxgeneCheck>;
