import { randomUUID } from 'node:crypto';
import { type DatasetFacts, geneLikeWords } from '@cellfolio/assistant';
import type { DatasetAnalysis, GeneNamesAnswer, MapColumnList, NamedDataset } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { limits } from '../../runtime/limits/limits.ts';
import type { ApiCall, Toolbox } from '../assistant-tools/index.ts';

/** Calls of tools in the name of the caller. */
export interface ToolCaller {
  readonly toolbox: Toolbox;
  readonly api: ApiCall;
  readonly signal: AbortSignal;
}

/** A dataset as `describe_dataset` has it. */
export interface DatasetWords {
  readonly dataset: NamedDataset & { readonly version: string };
  /** For prompts. */
  readonly description: object;
  readonly facts: DatasetFacts;
  /** Names of columns, groups and genes. */
  readonly names: readonly string[];
  /** It has columns that the caller made. */
  readonly hasOwnColumns: boolean;
  /** Words of the question that look like genes and are none of the dataset. */
  readonly missingGenes: readonly string[];
}

interface Described extends Pick<DatasetAnalysis, 'cell_count' | 'gene_count' | 'species' | 'samples'> {
  readonly dataset: NamedDataset;
  readonly columns: MapColumnList['obs'];
  readonly groups: readonly {
    readonly column: string;
    readonly groups: readonly { readonly name: string; readonly cells: number }[];
    readonly left_out: number;
  }[];
  readonly analyses: readonly { readonly tool: string; readonly impossible?: string }[];
}

/** Throws ApiFailure with the refusal of the tool. */
async function outputOf<Data>(
  { toolbox, api, signal }: ToolCaller,
  name: string,
  args: object,
): Promise<Data> {
  const outcome = await toolbox.runTool(toolbox.toolsByName.get(name)!, args, {
    api,
    signal,
    requestId: randomUUID(),
  });
  if ('output' in outcome) return outcome.output.data as Data;
  const { code, message, details } = outcome.refusal;
  throw new ApiFailure(outcome.status, code, message, { details });
}

/** Reads what a question can be about. Throws ApiFailure as the calls do: 404, 403, 409. */
export async function describeDataset(
  caller: ToolCaller,
  dataset: NamedDataset,
  question: string,
): Promise<DatasetWords> {
  const described = await outputOf<Described>(caller, 'describe_dataset', { dataset });
  const listed = new Map(described.groups.map((one) => [one.column, one]));
  const ofKind = (wanted: string) => described.columns.filter(({ kind }) => kind === wanted);
  const groups = ofKind('categories').map(({ name }) => {
    const own = listed.get(name);
    // A column that is listed in part may have any group.
    return { column: name, names: !own || own.left_out > 0 ? [] : own.groups.map((group) => group.name) };
  });
  const numbers = ofKind('levels').map(({ name }) => name);
  const columnOf = (wanted: 'cellType' | 'cluster') =>
    described.columns.find(({ role }) => role === wanted)?.name;
  const columnNames = [...groups.map(({ column }) => column), ...numbers];
  const groupNames = described.groups.flatMap((one) => one.groups.map(({ name }) => name));
  const words = geneLikeWords(question, [...columnNames, ...groupNames]);
  const { genes, missing } = await findGenes(caller, described.dataset, words);
  const { cell_count, gene_count, species, samples, columns, analyses } = described;
  return {
    dataset: described.dataset as DatasetWords['dataset'],
    description: bounded({
      cell_count,
      gene_count,
      species,
      samples,
      columns: columns.map(({ name, kind, role }) => ({ name, kind, role })),
      groups: described.groups,
      genes: [...new Set(genes.values())],
      not_in_the_dataset: missing,
      impossible: analyses.filter(({ impossible }) => impossible !== undefined),
    }),
    facts: { groups, numbers, genes, cellTypes: columnOf('cellType'), clusters: columnOf('cluster') },
    names: [...columnNames, ...groupNames, ...genes.keys(), ...genes.values()],
    hasOwnColumns: columns.some(({ own }) => own === true),
    missingGenes: missing,
  };
}

/** With as many columns, and groups of each, as the bytes of a result in a prompt allow. */
function bounded<All extends { readonly columns: readonly object[]; readonly groups: Described['groups'] }>(
  all: All,
): object {
  for (let maximum = 256; maximum >= 1; maximum /= 2) {
    const groups = all.groups.slice(0, maximum).map(({ column, groups: own, left_out: more }) => ({
      column,
      groups: own.slice(0, maximum),
      left_out: more + Math.max(0, own.length - maximum),
    }));
    const shown = { ...all, columns: all.columns.slice(0, maximum), groups };
    if (Buffer.byteLength(JSON.stringify(shown)) <= limits.assistantBytes.value) return shown;
  }
  return { ...all, columns: [], groups: [] };
}

/** The names of genes in the dataset by those of a plan, added to `words`. */
export async function withGenes(
  caller: ToolCaller,
  words: DatasetWords,
  names: readonly string[],
): Promise<DatasetWords> {
  const { genes } = await findGenes(caller, words.dataset, names);
  const all = new Map([...words.facts.genes, ...genes]);
  return {
    ...words,
    facts: { ...words.facts, genes: all },
    names: [...words.names, ...genes.keys(), ...genes.values()],
  };
}

async function findGenes(caller: ToolCaller, dataset: NamedDataset, names: readonly string[]) {
  if (names.length === 0) return { genes: new Map<string, string>(), missing: [] };
  const answer = await outputOf<GeneNamesAnswer>(caller, 'find_genes', { dataset, names });
  const genes = new Map(answer.genes.map(({ name, symbol }) => [name, symbol]));
  return { genes, missing: answer.missing };
}
