/** Type of a catalogue field: text, an integer, or a GEO accession such as GSE176078. */
type FieldType = 'text' | 'count' | 'gse';

interface CatalogueField {
  key: string;
  name: string;
  title: string;
  type: FieldType;
  /** Option of `dataset add`, in camel case. */
  option: string;
  description: string;
  /** Filter of the dataset list: its name in the URL, and its title. */
  facet?: { key: string; title: string };
}

/** Optional facts about a dataset besides its name, in the order of the preview. */
export const catalogueFields = [
  {
    key: 'gseAccessionNumber',
    name: 'gse_accession_number',
    title: 'GSE Accession Number',
    type: 'gse',
    option: 'gse',
    description: 'GEO series accession, such as GSE176078',
  },
  {
    key: 'patientCount',
    name: 'patient_count',
    title: 'Patient Count',
    type: 'count',
    option: 'patientCount',
    description: 'number of patients',
  },
  {
    key: 'stage',
    name: 'stage',
    title: 'Stage',
    type: 'text',
    option: 'stage',
    description: 'disease stage',
    facet: { key: 'stage', title: 'Stage' },
  },
  {
    key: 'treatment',
    name: 'treatment',
    title: 'Treatment',
    type: 'text',
    option: 'treatment',
    description: 'treatment of the patients',
    facet: { key: 'treatment', title: 'Treatment' },
  },
  {
    key: 'lymphNodeStatus',
    name: 'lymph_node_status',
    title: 'Lymph Node Status',
    type: 'text',
    option: 'lymphNodeStatus',
    description: 'lymph node status',
    facet: { key: 'lymph-nodes', title: 'Lymph nodes' },
  },
  {
    key: 'diseaseType',
    name: 'disease_type',
    title: 'Disease Type',
    type: 'text',
    option: 'diseaseType',
    description: 'type of the disease',
    facet: { key: 'disease-type', title: 'Disease type' },
  },
] as const satisfies readonly CatalogueField[];

type Field = (typeof catalogueFields)[number];
type ValueOf<One extends Field> = One['type'] extends 'count' ? number : string;

type FieldsOfEntry = { readonly [One in Field as One['key']]?: ValueOf<One> };

export type CatalogueOptions = { readonly [One in Field as One['option']]?: ValueOf<One> };

export type ListedFields = { [One in Field as One['name']]?: ValueOf<One> };

export interface CatalogueEntry extends FieldsOfEntry {
  readonly name: string;
  readonly disease: string;
  readonly subdisease: string;
  readonly category1: string;
  readonly category2: string;
  readonly description: string;
  /** True for simulated data; shown wherever the dataset is. */
  readonly simulated: boolean;
}

export function listedFieldsOf(entry: CatalogueEntry): ListedFields {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, name }) => (entry[key] === undefined ? [] : [[name, entry[key]]])),
  );
}

export function fieldsOfOptions(options: CatalogueOptions): Partial<CatalogueEntry> {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, option }) =>
      options[option] === undefined ? [] : [[key, options[option]]],
    ),
  );
}

export function optionsOfFields(entry: Partial<CatalogueEntry>): CatalogueOptions {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, option }) => (entry[key] === undefined ? [] : [[option, entry[key]]])),
  );
}
