import {
  type CellxgeneCheck,
  type CellxgeneChoices,
  type CellxgeneCuration,
  cellxgeneSchema,
  type CuratedField,
  curatedFields,
} from '@cellfolio/contract';
import { type Column, countText, isCategorical, labelColumnOf, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { termCalled, termTable } from '../ontology/index.ts';
import { checkValue } from './allowed-values.ts';

/** Values of a field in an answer; the others are counted. */
const maxListed = 200;

type FieldCheck = CellxgeneCheck['fields'][number];
type Value = FieldCheck['values'][number];

/** Source of a field's values: a curation, the file's column of the field, or labels whose names are looked up. */
interface Source {
  column: string | null;
  valueOf: (label: string) => string | null;
  isProposed: boolean;
}

/** Checks the cells of a dataset, with the choices of its curator, against the schema. Reads no expression. */
export async function checkDataset(dataset: Dataset, choices: CellxgeneChoices): Promise<CellxgeneCheck> {
  const { manifest } = dataset;
  const organism = choices.organism ?? manifest.organism ?? null;
  const organismTerm = organism === null ? undefined : termTable.ontology('NCBITaxon').terms.get(organism);
  const fields: FieldCheck[] = [];
  for (const field of curatedFields)
    fields.push(await checkField(dataset, field, organism ?? '', choices.fields[field.name]));
  const title = choices.title || manifest.catalogue.name || null;
  const other = otherParts(dataset);
  return {
    schema: cellxgeneSchema,
    title,
    organism: { id: organism, label: organismTerm?.label ?? null },
    fields,
    other,
    ready:
      title !== null &&
      organismTerm !== undefined &&
      fields.every(({ problems }) => problems === 0) &&
      other.every(({ isMissing }) => !isMissing),
  };
}

async function checkField(
  dataset: Dataset,
  field: CuratedField,
  organism: string,
  curation: CellxgeneCuration | undefined,
): Promise<FieldCheck> {
  const { name, title } = field;
  const source = sourceOf(dataset.obsColumnNames, field, organism, curation);
  const cells = dataset.manifest.cellCount;
  const labels =
    source.column === null ? new Map([['', cells]]) : labelCounts(await dataset.obs(source.column), cells);
  const values = [...labels].map(([label, count]): Value => {
    const value = source.valueOf(label);
    const { term, problem } = checkValue(field, organism, value ?? '');
    return { label, cells: count, value, term, isProposed: source.isProposed && value !== null, problem };
  });
  const listed = values.toSorted((a, b) => b.cells - a.cells).slice(0, maxListed);
  return {
    name,
    title,
    column: source.column,
    values: listed,
    more: values.length - listed.length,
    problems: values.reduce((sum, one) => sum + (one.problem === null ? 0 : one.cells), 0),
  };
}

function sourceOf(
  columns: readonly string[],
  field: CuratedField,
  organism: string,
  curation: CellxgeneCuration | undefined,
): Source {
  const fixed = field.fixed?.(organism);
  if (fixed !== undefined) return { column: null, valueOf: () => fixed, isProposed: false };
  if (curation !== undefined && 'all' in curation)
    return { column: null, valueOf: () => curation.all, isProposed: false };
  if (curation !== undefined && columns.includes(curation.column)) {
    const values = new Map(Object.entries(curation.values));
    const proposal = proposalOf(field, organism);
    return {
      column: curation.column,
      valueOf: (label) => values.get(label) ?? proposal(label),
      isProposed: false,
    };
  }
  if (columns.includes(field.name))
    return { column: field.name, valueOf: (label) => label || null, isProposed: false };
  const label = [labelColumnOf(field.name), ...(field.labels ?? [])].find(
    (one) => one !== undefined && columns.includes(one),
  );
  if (label === undefined) return { column: null, valueOf: () => null, isProposed: false };
  return { column: label, valueOf: proposalOf(field, organism), isProposed: true };
}

/** Term with exactly the label's name, or the label itself where it is allowed. */
function proposalOf(field: CuratedField, organism: string): (label: string) => string | null {
  return (label) => {
    if (checkValue(field, organism, label).problem === null) return label;
    for (const { ontology } of field.terms?.(organism) ?? []) {
      const id = termCalled(termTable.ontology(ontology), label)?.id;
      if (id !== undefined && checkValue(field, organism, id).problem === null) return id;
    }
    return null;
  };
}

/** Cells of each label; those without one have the empty one. */
function labelCounts(column: Column, cells: number): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (label: string, by = 1) => counts.set(label, (counts.get(label) ?? 0) + by);
  if (isCategorical(column)) {
    const perCode = new Float64Array(column.categories.length + 1);
    for (const code of column.codes) perCode[code + 1]!++;
    perCode.forEach((some, at) => some > 0 && count(at === 0 ? '' : column.categories[at - 1]!, some));
  } else if (column.kind === 'string') {
    for (let row = 0; row < cells; row++)
      count(column.missing?.[row] === 1 ? '' : stringAt(column.strings, row));
  } else if (column.kind === 'boolean') {
    for (let row = 0; row < cells; row++) {
      if (column.missing?.[row] === 1) count('');
      else count(column.values[row] === 1 ? 'True' : 'False');
    }
  } else count('', cells);
  return counts;
}

/** Requirements that no choice meets. */
function otherParts({ manifest, embeddings }: Dataset): CellxgeneCheck['other'] {
  const { expression } = manifest;
  return [
    {
      part: 'raw.X',
      text: expression.hasCounts
        ? expression.fractionalCounts === true
          ? 'The counts have fractions; the schema asks for whole numbers.'
          : 'Raw counts of all cells'
        : 'The dataset has no raw counts.',
      isMissing: !expression.hasCounts || expression.fractionalCounts === true,
    },
    {
      part: 'obsm',
      text:
        embeddings.length > 0
          ? `${countText(embeddings.length)} embeddings`
          : 'The dataset has no embedding: compute a UMAP first.',
      isMissing: embeddings.length === 0,
    },
  ];
}
