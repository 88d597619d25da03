import { detectSpecies } from '@cellfolio/analysis';
import {
  type CellxgeneCheck,
  type CellxgeneChoices,
  cellxgeneSchema,
  type CuratedField,
  curatedFields,
  curatedOrganisms,
  type CuratedOrganism,
  isCuratedOrganism,
} from '@cellfolio/contract';
import { countText, listedNames } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { termTable } from '../ontology/index.ts';
import { checkValue, suspensionProblem } from './allowed-values.ts';
import { type CuratedColumn, curatedColumn } from './curated-columns.ts';
import { type CuratedGenes, curatedGenes, geneListOf } from './gene-ids.ts';

/** Values of a field in an answer; the others are counted. */
const maxListed = 200;

type FieldCheck = CellxgeneCheck['fields'][number];
type Part = CellxgeneCheck['parts'][number];

export interface CuratedDataset {
  check: CellxgeneCheck;
  /** By field. Those of a dataset that is not ready have values that the schema does not allow. */
  columns: ReadonlyMap<string, CuratedColumn>;
  /** Undefined without an organism whose genes are listed. */
  genes: CuratedGenes | undefined;
}

/** Checks the cells of a dataset, with the choices of its curator, against the schema. Reads no expression. */
export async function checkDataset(
  dataset: Dataset,
  choices: CellxgeneChoices,
  signal?: AbortSignal,
): Promise<CuratedDataset> {
  const { manifest } = dataset;
  const organism = choices.organism ?? organismOf(dataset);
  const columns = new Map<string, CuratedColumn>();
  for (const field of curatedFields) {
    const from = { field, organism: organism ?? '' };
    columns.set(field.name, await curatedColumn(dataset, from, choices, signal));
  }
  const suspensions = suspensionProblems(columns);
  const fields = curatedFields.map((field) =>
    fieldCheck(field, organism ?? '', {
      column: columns.get(field.name)!,
      cells: manifest.cellCount,
      others: field.name === 'suspension_type' ? suspensions : undefined,
    }),
  );
  const listed = organism !== undefined && isCuratedOrganism(organism) ? organism : undefined;
  const genes = listed && curatedGenes(dataset.genes, listed);
  const title = choices.title || manifest.catalogue.name || null;
  const parts = [
    ...countParts(dataset),
    embeddingPart(dataset),
    ...(genes && listed ? [genePart(genes, listed)] : []),
  ];
  const term = organism === undefined ? undefined : termTable.ontology('NCBITaxon').terms.get(organism);
  const check = {
    schema: cellxgeneSchema,
    title,
    organism: { id: organism ?? null, label: term?.label ?? null },
    fields,
    parts,
    ready:
      title !== null &&
      genes !== undefined &&
      fields.every(({ problems }) => problems === 0) &&
      parts.every(({ isMissing }) => !isMissing),
  } satisfies CellxgeneCheck;
  return { check, columns, genes };
}

function organismOf({ manifest, genes }: Dataset): string | undefined {
  if (manifest.organism !== undefined) return manifest.organism;
  const { species } = detectSpecies(genes.symbols);
  return [...curatedOrganisms].find(([, name]) => name === species)?.[0];
}

function fieldCheck(
  field: CuratedField,
  organism: string,
  {
    column: { column, labels, values, proposed, codes },
    cells,
    others,
  }: { column: CuratedColumn; cells: number; others: ReadonlyMap<string, string> | undefined },
): FieldCheck {
  const counts = new Float64Array(labels.length);
  if (codes) for (const code of codes) counts[code]!++;
  else counts[0] = cells;
  const all = labels.map((label, at) => {
    const value = values[at]!;
    const { term, problem } = checkValue(field, organism, value ?? '');
    return {
      label,
      cells: counts[at]!,
      value,
      term,
      isProposed: proposed[at]!,
      problem: problem ?? others?.get(value ?? '') ?? null,
    };
  });
  const listed = all.toSorted((a, b) => b.cells - a.cells).slice(0, maxListed);
  return {
    name: field.name,
    column,
    fixed: field.fixed?.(organism) ?? null,
    values: listed,
    more: all.length - listed.length,
    problems: all.reduce((sum, one) => sum + (one.problem === null ? 0 : one.cells), 0),
  };
}

/** Problems of suspensions that an assay of the same cells does not allow, by suspension. */
function suspensionProblems(columns: ReadonlyMap<string, CuratedColumn>): Map<string, string> {
  const assays = columns.get('assay_ontology_term_id')!;
  const suspensions = columns.get('suspension_type')!;
  const problems = new Map<string, string>();
  const cells = assays.codes?.length ?? suspensions.codes?.length ?? 1;
  const width = suspensions.labels.length;
  const seen = new Uint8Array(assays.labels.length * width);
  for (let cell = 0; cell < cells; cell++) {
    const [assay, suspension] = [assays.codes?.[cell] ?? 0, suspensions.codes?.[cell] ?? 0];
    if (seen[assay * width + suspension] === 1) continue;
    seen[assay * width + suspension] = 1;
    const [of, value] = [assays.values[assay], suspensions.values[suspension]];
    const problem = of && value ? suspensionProblem(of, value) : null;
    if (problem !== null) problems.set(value!, problem);
  }
  return problems;
}

function countParts({ manifest: { expression } }: Dataset): Part[] {
  const fractions = expression.fractionalCounts === true;
  const text = expression.hasCounts
    ? fractions
      ? 'The counts have fractions; the schema asks for whole numbers.'
      : 'Raw counts of all cells.'
    : 'The dataset has no raw counts. Upload a file with them.';
  return [{ part: 'Raw counts (raw.X)', text, isMissing: !expression.hasCounts || fractions }];
}

/** The schema asks for one whose name begins so. */
const embeddingPattern = /^X_[A-Za-z0-9_.-]+$/;

/** Embeddings that the file can have; that of Visium needs images. */
export function curatedEmbeddings({ embeddings }: Pick<Dataset, 'embeddings'>): string[] {
  return embeddings
    .map(({ name }) => name)
    .filter((name) => embeddingPattern.test(name) && name.toLowerCase() !== 'x_spatial');
}

function embeddingPart(dataset: Dataset): Part {
  const names = curatedEmbeddings(dataset);
  return {
    part: 'Embedding (obsm)',
    text: names.length > 0 ? `${listedNames(names)}.` : 'No embedding such as X_umap. Compute a map first.',
    isMissing: names.length === 0,
  };
}

function genePart({ ids, unknown, repeated }: CuratedGenes, organism: CuratedOrganism): Part {
  const { release } = geneListOf(organism);
  const left = [
    ...(unknown.length > 0
      ? [`${countText(unknown.length)} without an id there are left out (${listedNames(unknown)})`]
      : []),
    ...(repeated.length > 0
      ? [`${countText(repeated.length)} with the id of another gene too (${listedNames(repeated)})`]
      : []),
  ];
  const sentence = `${countText(ids.length)} genes with Ensembl ids of ${release}`;
  return {
    part: 'Genes (var)',
    text: `${[sentence, ...left].join('; ')}.`,
    isMissing: ids.length === 0,
  };
}
