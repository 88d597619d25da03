/** How a field of the catalogue is written and shown: text, a whole number, or an accession of GEO such as GSE176078. */
type FieldType = 'text' | 'count' | 'gse';

interface CatalogueField {
  /** In the manifest of a dataset. */
  readonly key: string;
  /** In answers of the API. */
  readonly name: string;
  /** In the preview. */
  readonly title: string;
  readonly type: FieldType;
  /** Option of `dataset add`, in camel case. */
  readonly option: string;
  readonly description: string;
  /** Filter of the dataset list: its name in the address, and its title. */
  readonly facet?: { readonly key: string; readonly title: string };
}

/** What may be known of a dataset beyond its name, in the order of the preview. */
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

/** The fields as options of the command line have them. */
export type CatalogueOptions = { readonly [One in Field as One['option']]?: ValueOf<One> };

/** The fields as answers of the API have them. */
export type ListedFields = { [One in Field as One['name']]?: ValueOf<One> };

/** What a dataset is about: the fields of the public catalogue, as given at import. */
export interface CatalogueEntry extends FieldsOfEntry {
  readonly name: string;
  readonly disease: string;
  readonly subdisease: string;
  readonly category1: string;
  readonly category2: string;
  readonly description: string;
  /** True for data made by the simulator; shown wherever the dataset is. */
  readonly simulated: boolean;
}

/** The fields that are known of a dataset, under their names in answers of the API. */
export function listedFieldsOf(entry: CatalogueEntry): ListedFields {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, name }) => (entry[key] === undefined ? [] : [[name, entry[key]]])),
  );
}

/** The fields that options of the command line give. */
export function fieldsOfOptions(options: CatalogueOptions): Partial<CatalogueEntry> {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, option }) =>
      options[option] === undefined ? [] : [[key, options[option]]],
    ),
  );
}

/** The reverse of fieldsOfOptions. */
export function optionsOfFields(entry: Partial<CatalogueEntry>): CatalogueOptions {
  return Object.fromEntries(
    catalogueFields.flatMap(({ key, option }) => (entry[key] === undefined ? [] : [[option, entry[key]]])),
  );
}
