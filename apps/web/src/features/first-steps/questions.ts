import { comparison, composition, markers } from '@cellfolio/analyses';
import {
  boundedNames,
  columnTitle,
  type DatasetAnalysis,
  type FilterRequest,
  isUnassigned,
  maxSetNameLength,
} from '@cellfolio/contract';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { conditionRank, isControl } from '@/lib/condition-names.ts';
import { shortName } from '@/lib/format.ts';

export type ExampleQuestion =
  | { readonly text: string; readonly genes: readonly string[] }
  | { readonly text: string; readonly analysis: { readonly id: string }; readonly request: object };

/** The facts that questions are made of; absent where the dataset does not have them. */
interface QuestionFacts {
  readonly grouping?: { readonly column: string; readonly noun: string };
  /** Two values of a condition column, B being the control where its name says so. */
  readonly condition?: { readonly field: string; readonly a: string; readonly b: string };
  readonly cellType?: string;
  readonly samples?: string;
  readonly gene?: string;
}

type Fact = keyof QuestionFacts;

interface Example {
  readonly needs: readonly Fact[];
  ask(facts: QuestionFacts): ExampleQuestion;
}

function example<Needed extends Fact>(
  needs: readonly Needed[],
  ask: (facts: Required<Pick<QuestionFacts, Needed>>) => ExampleQuestion,
): Example {
  return { needs, ask: ask as Example['ask'] };
}

const examples: readonly Example[] = [
  example(['gene'], ({ gene }) => ({ text: `Where is ${gene} expressed?`, genes: [gene] })),
  example(['grouping'], ({ grouping: { column, noun } }) => ({
    text: `What marks each ${noun}?`,
    analysis: markers,
    request: { groupby: column },
  })),
  example(['condition', 'cellType'], ({ condition: { field, a, b }, cellType }) => ({
    text: `${shortName(cellType)}: which genes differ between “${shortName(a)}” and “${shortName(b)}”?`,
    analysis: comparison,
    request: sides(field, [a, b], cellType),
  })),
  example(['condition', 'grouping', 'samples'], ({ condition: { field, a, b } }) => ({
    text: `Does the composition change with ${shortName(columnTitle(field).toLowerCase())}?`,
    analysis: composition,
    request: sides(field, [a, b]),
  })),
];

/** The questions that the dataset has the columns for, and whose analysis can run. */
export function questionsFor(dataset: DatasetAnalysis): ExampleQuestion[] {
  const facts = factsOf(dataset);
  return examples
    .filter(({ needs }) => needs.every((fact) => facts[fact] !== undefined))
    .map(({ ask }) => ask(facts))
    .filter((question) => 'genes' in question || canRun(question, dataset));
}

function canRun(question: Extract<ExampleQuestion, { request: object }>, dataset: DatasetAnalysis): boolean {
  const { form } = declaredAnalysis(question.analysis);
  return form.isComplete(
    { ...form.defaults, ...(form.textsOf?.(question.request) as typeof form.defaults) },
    dataset,
  );
}

/** Both sides of a comparison, under different names that its form takes. */
function sides(field: string, values: readonly [a: string, b: string], cellType?: string) {
  const names = boundedNames(
    values.map((value) => (cellType === undefined ? value : `${shortName(cellType)}, ${value}`)),
    maxSetNameLength,
  );
  const [a, b] = values.map((value, at) => ({
    name: names[at]!,
    filter: groupFilter(field, value, cellType),
  }));
  return { a, b };
}

function groupFilter(field: string, value: string, cellType?: string): FilterRequest {
  return {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { [field]: [value] },
    ...(cellType !== undefined && { cell_type_filter: true, cell_type: [cellType] }),
  };
}

/** Whether a group has a name, and one that tells what its cells are. */
const isNamed = (group: string) => group.trim() !== '' && !isUnassigned(group);

/** Well-known markers, of cells that many datasets have. */
const familiarGenes = ['FOXP3', 'CD8A', 'MS4A1', 'EPCAM', 'PECAM1', 'PTPRC', 'ALB', 'INS', 'GAD1'];
const tCells = /^(cd[48]\S* )?t([ _-]?cells?)?$/i;

function factsOf(dataset: DatasetAnalysis): QuestionFacts {
  const { cell_types, leiden_clusters: clusters, gene_library: library, samples } = dataset;
  const types = cell_types.filter(isNamed);
  const grouping =
    types.length > 1
      ? { column: 'cell_type', noun: 'cell type' }
      : clusters.length > 1
        ? { column: 'leiden', noun: 'cluster' }
        : undefined;
  const condition = conditionOf(dataset);
  const cellType =
    types.find((type) => tCells.test(type)) ??
    mostFrequent(types, new Map(Object.entries(dataset.cell_type_counts)));
  const familiar = new Map(familiarGenes.map((gene, rank) => [gene, rank]));
  const [gene] = library
    .filter((symbol) => familiar.has(symbol.toUpperCase()))
    .toSorted((one, other) => familiar.get(one.toUpperCase())! - familiar.get(other.toUpperCase())!);
  return {
    ...(grouping && { grouping }),
    ...(condition && { condition }),
    ...(cellType !== undefined && { cellType }),
    ...(samples && { samples: samples.column }),
    ...(gene !== undefined && { gene }),
  };
}

function conditionOf({
  patient_metadata: metadata,
  patient_metadata_counts: counts = {},
}: DatasetAnalysis): QuestionFacts['condition'] {
  const cellsOfField = new Map(Object.entries(counts));
  const fields = Object.keys(metadata)
    .filter((field) => conditionRank(field) >= 0)
    .toSorted((one, other) => conditionRank(one) - conditionRank(other));
  for (const field of fields) {
    const cells = new Map(
      // name-dictionary: by the names of its own fields
      metadata[field]!.map((value, at) => [value, cellsOfField.get(field)?.[at] ?? 0] as const).filter(
        ([value]) => isNamed(value),
      ),
    );
    const values = [...cells.keys()];
    const b = values.find(isControl) ?? (values.length === 2 ? values[0] : undefined);
    const a = mostFrequent(
      values.filter((value) => value !== b),
      cells,
    );
    if (a !== undefined && b !== undefined) return { field, a, b };
  }
  return undefined;
}

function mostFrequent(names: readonly string[], counts: ReadonlyMap<string, number>): string | undefined {
  return names.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0];
}
