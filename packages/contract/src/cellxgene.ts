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
  /** Column of obs in the file. */
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  /** Allowed terms, which depend on the organism. Absent: values are no terms. */
  readonly terms?: (organism: string) => readonly AllowedTerms[];
  /** Terms that are offered without a search, with their labels. */
  readonly offered?: Readonly<Record<string, string>>;
  /** Allowed values that are no terms; `any` for text that is not empty. */
  readonly values?: readonly string[] | 'any';
  /** The only value that the organism allows. */
  readonly fixed?: (organism: string) => string | undefined;
  /** Ontologies whose terms a cell may have several of, in rising order, joined by ` || `. */
  readonly joins?: readonly OntologyName[];
  /** Columns of labels whose names are proposed as terms. */
  readonly labels?: readonly string[];
}

/** Organisms whose lists of genes the server has. The schema names twelve more. */
const organismIds = ['NCBITaxon:9606', 'NCBITaxon:10090'] as const;
export type CuratedOrganism = (typeof organismIds)[number];
export const curatedOrganisms: ReadonlyMap<CuratedOrganism, 'human' | 'mouse'> = new Map([
  ['NCBITaxon:9606', 'human'],
  ['NCBITaxon:10090', 'mouse'],
]);
const [human] = organismIds;

export function isCuratedOrganism(id: string): id is CuratedOrganism {
  return organismIds.some((one) => one === id);
}

const unknown = ['unknown'] as const;

/** Columns that curators fill in, in the order in which they are asked. */
export const curatedFields: readonly CuratedField[] = [
  {
    name: 'cell_type_ontology_term_id',
    title: 'Cell type',
    hint: 'The most accurate term; `unknown` where no type fits.',
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
    hint: 'Cultures and cell lines cannot be prepared here: they need terms of other ontologies.',
    values: ['tissue', 'organoid'],
  },
  {
    name: 'tissue_ontology_term_id',
    title: 'Tissue',
    hint: 'The anatomical structure, or the one that an organoid models.',
    terms: () => [{ ontology: 'UBERON', below: ['UBERON:0001062'] }],
    labels: ['tissue', 'organ'],
  },
  {
    name: 'disease_ontology_term_id',
    title: 'Disease',
    hint: '`PATO:0000461` (normal) for healthy samples.',
    terms: () => [
      { ontology: 'MONDO', below: ['MONDO:0000001'], also: ['MONDO:0021178'] },
      { ontology: 'PATO', also: ['PATO:0000461'] },
    ],
    offered: { 'PATO:0000461': 'normal' },
    joins: ['MONDO'],
    labels: ['disease', 'condition', 'diagnosis'],
  },
  {
    name: 'assay_ontology_term_id',
    title: 'Assay',
    hint: 'Such as `EFO:0009922` (10x 3’ v3).',
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
    hint: 'One name for each individual; `unknown` or `pooled` where there is none.',
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
        : { ontology: 'MmusDv', below: ['MmusDv:0000001'] },
    ],
    values: unknown,
    labels: ['development_stage', 'stage', 'age'],
  },
  {
    name: 'sex_ontology_term_id',
    title: 'Sex',
    hint: 'Sex of the donor.',
    terms: () => [{ ontology: 'PATO', also: ['PATO:0000383', 'PATO:0000384', 'PATO:0001340'] }],
    offered: { 'PATO:0000383': 'female', 'PATO:0000384': 'male', 'PATO:0001340': 'hermaphrodite' },
    values: unknown,
    labels: ['sex', 'gender'],
  },
  {
    name: 'self_reported_ethnicity_ontology_term_id',
    title: 'Self-reported ethnicity',
    hint: 'Of human donors; `unknown` if it is not available.',
    terms: () => [{ ontology: 'HANCESTRO', below: ['HANCESTRO:0601', 'HANCESTRO:0602'] }],
    values: unknown,
    joins: ['HANCESTRO'],
    labels: ['self_reported_ethnicity', 'ethnicity', 'ancestry'],
    fixed: (organism) => (organism === human ? undefined : 'na'),
  },
  {
    name: 'is_primary_data',
    title: 'Primary data',
    hint: '`False` where another dataset of the portal already has these cells.',
    values: ['True', 'False'],
  },
];

/** Suspensions that assays allow, by terms and those below them, or by terms alone. */
export const suspensionRules: readonly {
  readonly suspensions: readonly string[];
  readonly below: readonly string[];
  readonly also: readonly string[];
}[] = [
  {
    suspensions: ['cell', 'nucleus'],
    below: ['EFO:0030080', 'EFO:0010184', 'EFO:0010010', 'EFO:0009919'],
    also: [
      'EFO:0008722',
      'EFO:0008780',
      'EFO:0700010',
      'EFO:0700011',
      'EFO:0030060',
      'EFO:0022490',
      'EFO:0030028',
    ],
  },
  { suspensions: ['nucleus'], below: ['EFO:0007045', 'EFO:0002761'], also: ['EFO:0008720', 'EFO:0030026'] },
  {
    suspensions: ['cell'],
    below: ['EFO:0008919', 'EFO:0008853', 'EFO:0008953'],
    also: ['EFO:0030002', 'EFO:0008796', 'EFO:0700003', 'EFO:0700004', 'EFO:0008679', 'EFO:0008877'],
  },
  { suspensions: ['na'], below: ['EFO:0008994'], also: ['EFO:0008992'] },
];

/** Columns of obs that the portal writes itself, or no longer accepts. */
export const refusedColumns: ReadonlySet<string> = new Set([
  'assay',
  'cell_type',
  'development_stage',
  'disease',
  'ethnicity',
  'ethnicity_ontology_term_id',
  'experimental_condition',
  'observation_joinid',
  'organism',
  'organism_ontology_term_id',
  'self_reported_ethnicity',
  'sex',
  'tissue',
]);

const curatedText = z.string().trim().max(500);
const curation = z
  .union([
    z.object({ all: curatedText.min(1) }).describe('One value for all cells.'),
    z
      .object({ column: curatedText.min(1), values: z.record(curatedText, curatedText) })
      .describe('A value for each label of a column. A label without one is looked up by its name.'),
  ])
  .meta({ id: 'CellxgeneCuration' });
export type CellxgeneCuration = z.output<typeof curation>;

export const cellxgeneChoices = z
  .object({
    title: z.string().trim().max(300).optional().describe('Default: the name of the dataset.'),
    organism: z.enum(organismIds).optional().describe('Default: that of the dataset.'),
    fields: z
      .partialRecord(z.enum(curatedFields.map(({ name }) => name) as [string, ...string[]]), curation)
      .default({})
      .describe('By column. Without a choice, the dataset’s own column of ids or of labels is used.'),
  })
  .meta({ id: 'CellxgeneChoices' });
export type CellxgeneChoices = z.output<typeof cellxgeneChoices>;

export function curationOf({ fields }: CellxgeneChoices, field: string): CellxgeneCuration | undefined {
  return new Map(Object.entries(fields)).get(field);
}

export const cellxgeneJobRequest = cellxgeneChoices
  .extend({ name: z.string().trim().min(1).max(255).describe('Name of the file.') })
  .meta({ id: 'CellxgeneJobRequest' });

const curatedValue = z.object({
  label: z.string().describe('As the column has it; empty for cells without a value.'),
  cells: z.number().int(),
  value: z.string().nullable(),
  term: z.string().nullable().describe('Label of the term.'),
  isProposed: z.boolean().describe('Found by the name of the label; no curator chose it.'),
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
        column: z.string().nullable().describe('Column that the values are from.'),
        fixed: z.string().nullable().describe('The only value that the organism allows.'),
        values: z.array(curatedValue).describe('Values of most cells first.'),
        more: z.number().int().describe('Values that are not listed.'),
        problems: z.number().int().describe('Cells without an allowed value.'),
      }),
    ),
    parts: z
      .array(z.object({ part: z.string(), text: z.string(), isMissing: z.boolean() }))
      .describe('Requirements that no choice meets.'),
    ready: z.boolean(),
  })
  .meta({ id: 'CellxgeneCheck' });
export type CellxgeneCheck = z.infer<typeof cellxgeneCheck>;
