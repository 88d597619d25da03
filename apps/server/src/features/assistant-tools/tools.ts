import { type Declaration, declarations } from '@cellfolio/analyses';
import { analysisTool } from '@cellfolio/assistant';
import {
  type ApiError,
  apiError,
  type CallerScopes,
  catalogueDataset,
  type ChosenCells,
  chosenCells,
  type DatasetAnalysis,
  datasetAnalysis,
  type DatasetMetadata,
  geneNamesAnswer,
  geneNamesRequest,
  geneSummary,
  type KeyScope,
  type MapColumnList,
  mapColumnList,
  namedDataset,
  requestProblem,
  resultNotes,
  type UserFileList,
} from '@cellfolio/contract';
import { figureContent } from '@cellfolio/figures/content';
import { wordsOfFile } from '@cellfolio/figures/words-of-file';
import type { ImageContent } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { InvalidRequest } from '../../runtime/http/request-checks.ts';
import type { ApiCall, ApiRequest } from './api-call.ts';
import { readAnalysis, resultTable, tablePage } from './read-answer.ts';

export interface ToolOutput {
  /** As `output` of the tool. */
  readonly data: object;
  readonly image?: ImageContent;
}

/** The call of a tool. */
export interface ToolCall {
  /** The body of an answer. Throws CallRefused. */
  readonly ask: (request: ApiRequest) => Promise<AsyncIterable<Uint8Array>>;
  readonly requestId: string;
  /** Address of the server, for calls that the caller makes without a tool; absent within the server. */
  readonly origin?: string;
}

interface ToolTexts {
  readonly name: string;
  /** Scope that a personal key needs for its calls of `/api`. */
  readonly scope: KeyScope;
  /** Data that callers without an account may use it on: the demo dataset, or all that is public. Default: none. */
  readonly visitors?: 'demo' | 'all';
  readonly title: string;
  readonly description: string;
  readonly output: z.ZodObject;
  /** `_meta` of the listed tool: the page that shows its results, and who may call it. */
  readonly meta?: { readonly ui: { readonly resourceUri: string; readonly visibility?: readonly 'app'[] } };
}

/** A tool of assistants: calls of `/api`, whose checks of the arguments apply. */
export interface Tool extends ToolTexts {
  readonly input: z.ZodObject;
  /** Throws CallRefused, InvalidRequest. */
  run(args: object, call: ToolCall): Promise<ToolOutput>;
}

interface ToolDeclaration<Reads extends z.ZodObject> extends ToolTexts {
  /** Arguments that the tool reads itself; `/api` checks those that it passes on. */
  readonly reads: Reads;
  /** The other arguments. */
  readonly passes?: z.core.$ZodShape;
  run(read: z.output<Reads>, call: ToolCall, others: object): Promise<ToolOutput>;
}

export function tool<Reads extends z.ZodObject>({
  reads,
  passes,
  run,
  ...texts
}: ToolDeclaration<Reads>): Tool {
  return {
    ...texts,
    input: z.object({ ...reads.shape, ...passes }),
    run(args, call) {
      const result = z.safeParse(reads, args, { error: requestProblem });
      if (!result.success) throw new InvalidRequest(result.error);
      const others = Object.entries(args).filter(([name]) => !Object.hasOwn(reads.shape, name));
      return run(result.data, call, Object.fromEntries(others));
    },
  };
}

/** A refusal of `/api`. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly status: number;
  readonly body: ApiError;

  constructor(status: number, body: ApiError) {
    super(`The call was refused with the status ${status}`);
    this.status = status;
    this.body = body;
  }
}

export function askWith(api: ApiCall, signal: AbortSignal): ToolCall['ask'] {
  return async (request) => {
    const { status, body } = await api(request, signal);
    if (status !== 200) throw new CallRefused(status, refusalIn((await bytesOf(body)).toString(), status));
    return body;
  };
}

/**
 * The scopes of the caller's key; undefined without an account, and on a server of a version without scopes. Throws
 * CallRefused where the key or the token is not valid.
 */
export async function scopesOf(
  api: ApiCall,
  signal: AbortSignal,
): Promise<ReadonlySet<KeyScope> | undefined> {
  try {
    const { scopes } = await json<CallerScopes>(askWith(api, signal)({ method: 'GET', path: '/api/scopes' }));
    return new Set(scopes);
  } catch (error) {
    if (error instanceof CallRefused && ['missing_token', 'not_found'].includes(error.body.code))
      return undefined;
    throw error;
  }
}

/** A proxy may answer in the place of the server. */
function refusalIn(text: string, status: number): ApiError {
  try {
    return apiError.parse(JSON.parse(text));
  } catch {
    return {
      code: 'unreachable',
      message: `The server answered with the status ${status}. Try again later.`,
    };
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function json<T>(body: Promise<AsyncIterable<Uint8Array>>): Promise<T> {
  return JSON.parse((await bytesOf(await body)).toString()) as T;
}

export const dataset = namedDataset.describe(
  'The dataset: its `filename` as `list_datasets` names it. With its `version`, as `describe_dataset` returns it, a dataset that was replaced since is refused.',
);
export const cells = chosenCells.describe('The cells to work on; absent for all.');
const listed = 50;

const listedDataset = catalogueDataset
  .omit({ umap_url: true, ontology_terms: true, patient_metadata: true })
  .partial()
  .extend({
    dataset_filename: z.string(),
    own: z.boolean().describe('Made of a file of the caller, who alone can read it.'),
    state: z.string().optional().describe('State of an own dataset; only one that is `ready` can be read.'),
  });

export const listDatasets = tool({
  name: 'list_datasets',
  scope: 'read',
  visitors: 'all',
  title: 'List datasets',
  description: `Lists the single-cell datasets that the caller may read, public ones and own ones, ${listed} a page: name, disease, tissue, cell types, numbers of cells and genes. \`category1\` and \`category2\` are disease and sub-disease.`,
  reads: z.object({
    cursor: z
      .string()
      .max(500)
      .default('')
      .describe('The `next_cursor` of the page before; absent for the first page.'),
  }),
  output: z.object({
    datasets: z.array(listedDataset).describe('By `dataset_filename`.'),
    next_cursor: z.string().optional().describe('Absent on the last page.'),
  }),
  async run({ cursor }, { ask }) {
    const [catalogue, own] = await Promise.all([
      json<DatasetMetadata>(ask({ method: 'GET', path: '/api/dataset_metadata' })),
      ownDatasets(ask),
    ]);
    const open = Object.values(catalogue)
      .flatMap((diseases) => Object.values(diseases).flat())
      .map((one) => listedDataset.parse({ ...one, own: false }));
    const after = [...open, ...own]
      .filter(({ dataset_filename: name }) => name > cursor)
      .toSorted((one, other) => (one.dataset_filename < other.dataset_filename ? -1 : 1));
    const datasets = after.slice(0, listed);
    const last = datasets.at(-1)?.dataset_filename;
    return { data: { datasets, ...(after.length > listed && { next_cursor: last }) } };
  },
});

/** Datasets of the caller's files; none for a caller without an account. */
async function ownDatasets(ask: ToolCall['ask']) {
  const answer = ask({ method: 'GET', path: '/api/own-files' });
  const { files } = await json<Pick<UserFileList, 'files'>>(answer).catch((error: unknown) => {
    if (error instanceof CallRefused && error.body.code === 'missing_token') return { files: [] };
    throw error;
  });
  return files.flatMap(({ file_id: id, name, dataset: made }) => {
    if (!made) return [];
    const { state, cells: cellCount, genes: geneCount } = made;
    return [
      {
        dataset_filename: `custom:${id}`,
        name,
        own: true,
        state,
        ...(cellCount !== null && { cell_count: cellCount }),
        ...(geneCount !== null && { gene_count: geneCount }),
      },
    ];
  });
}

/** Fields of the description that are those of the answer of opening a dataset. */
const opened = datasetAnalysis.pick({
  cell_count: true,
  gene_count: true,
  species: true,
  samples: true,
  raw_counts: true,
  simulated: true,
  warnings: true,
});
const maxGroups = 200;

export const describeDataset = tool({
  name: 'describe_dataset',
  scope: 'read',
  visitors: 'demo',
  title: 'Describe a dataset',
  description:
    'Describes a dataset: cells, genes, species, samples, columns of the cells and their groups with numbers of cells, embeddings, which analyses are possible, and what was odd about its file. Call it before an analysis, and name columns and groups as it spells them.',
  reads: z.object({ dataset }),
  output: opened.extend({
    dataset: namedDataset.required().describe('To be sent with the calls that follow.'),
    columns: mapColumnList.shape.obs,
    groups: z
      .array(
        z.object({
          column: z.string(),
          groups: z.array(z.object({ name: z.string(), cells: z.number().int() })),
          left_out: z.number().int().describe('Number of further groups.'),
        }),
      )
      .describe('Cell types, clusters and metadata with their numbers of cells.'),
    embeddings: mapColumnList.shape.embeddings,
    analyses: z.array(
      z.object({
        tool: z.string(),
        question: z.string(),
        impossible: z.string().optional().describe('Why it cannot be run.'),
      }),
    ),
  }),
  async run({ dataset: { filename, version } }, { ask }) {
    const name = encodeURIComponent(filename);
    const query = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
    const [{ obs, embeddings }, analysis] = await Promise.all([
      json<MapColumnList>(
        ask({ method: 'GET', path: `/api/datasets/${name}/columns${query}`, dataset: filename }),
      ),
      json<DatasetAnalysis>(ask({ method: 'GET', path: `/api/dataset_analysis/${name}`, dataset: filename })),
    ]);
    const counts = {
      groups: obs.filter(({ kind, categories = 0 }) => kind === 'categories' && categories > 1).length,
      numbers: obs.filter(({ kind }) => kind === 'levels').length,
    };
    return {
      data: {
        dataset: { filename, version: analysis.version },
        ...opened.parse(analysis),
        columns: obs,
        groups: groupsOf(analysis),
        embeddings,
        analyses: declarations.map((one) => {
          const impossible = one.impossible?.(counts);
          const { question } = one;
          return { tool: analysisTool(one), question, ...(impossible !== undefined && { impossible }) };
        }),
      },
    };
  },
});

function groupsOf({
  columns,
  cell_type_counts: types,
  leiden_cluster_counts: clusters,
  patient_metadata: values,
  patient_metadata_counts: numbers = {},
}: DatasetAnalysis) {
  const valuesOf = new Map(Object.entries(values));
  const numbersOf = new Map(Object.entries(numbers));
  const metadata = columns.patient_metadata.map(({ field, column }) => {
    const cellCounts = numbersOf.get(field) ?? [];
    const groups = (valuesOf.get(field) ?? []).map((name, at) => [name, cellCounts[at] ?? 0] as const);
    return [column, groups] as const;
  });
  const all = [
    [columns.cell_types, Object.entries(types)] as const,
    [columns.leiden_clusters, Object.entries(clusters)] as const,
    ...metadata,
  ];
  return all.flatMap(([column, groups]) => {
    if (column === undefined) return [];
    const shown = groups.slice(0, maxGroups).map(([name, count]) => ({ name, cells: count }));
    return [{ column, groups: shown, left_out: groups.length - shown.length }];
  });
}

export const findGenes = tool({
  name: 'find_genes',
  scope: 'read',
  visitors: 'demo',
  title: 'Find genes in a dataset',
  description:
    'Finds what a dataset calls genes, by symbol, former symbol or Ensembl id, and which of them it does not have.',
  reads: z.object({ dataset }),
  passes: geneNamesRequest.shape,
  output: geneNamesAnswer,
  async run({ dataset: { filename } }, { ask }, body) {
    const path = `/api/datasets/${encodeURIComponent(filename)}/gene-names`;
    return { data: await json(ask({ method: 'POST', path, body, dataset: filename })) };
  },
});

export const summarizeGene = tool({
  name: 'summarize_gene',
  scope: 'read',
  title: 'Summarize a gene in all datasets',
  description:
    'Summarizes a gene by cell type in all datasets that the caller may read: cells, those that express it, and its mean.',
  reads: z.object({ gene: z.string().min(1).max(500).describe('A symbol or an Ensembl id.') }),
  output: geneSummary,
  async run({ gene }, { ask, requestId }) {
    const path = `/api/gene-summary?gene=${encodeURIComponent(gene)}`;
    return { data: await json(ask({ method: 'GET', path, requestId })) };
  },
});

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Kinds of figures by their fields, those that may be absent in brackets. */
function kindsOfFigures(): string {
  const { $defs = {} } = z.toJSONSchema(figureContent, { io: 'input', unrepresentable: 'any' });
  // A kind with variants is a union itself.
  const variantsOf = (schema: JsonSchema): JsonSchema[] =>
    schema.oneOf ? (schema.oneOf as JsonSchema[]).flatMap(variantsOf) : [schema];
  const kindsByFields = new Map<string, string[]>();
  for (const { properties = {}, required = [] } of variantsOf($defs['FigureContent']!)) {
    const names = Object.keys(properties).filter((name) => name !== 'kind');
    const fields = names.map((name) => (required.includes(name) ? name : `[${name}]`)).join(', ');
    const kind = `\`${String((properties['kind'] as JsonSchema).const)}\``;
    kindsByFields.set(fields, [...(kindsByFields.get(fields) ?? []), kind]);
  }
  return [...kindsByFields]
    .map(([fields, kinds]) => `${kinds.join(', ')} (${fields || 'no fields'})`)
    .join('; ');
}

export const drawFigure = tool({
  name: 'draw_figure',
  scope: 'analyse',
  visitors: 'demo',
  title: 'Draw a figure',
  description:
    'Draws a figure of a dataset or of a result, as a PNG with its title, what it shows in words, and its cautions: genes on a map of the cells, violins, dot plots, heatmaps, volcano plots and others.',
  reads: z.object({ dataset }),
  passes: {
    cells: cells.optional(),
    content: z
      .looseObject({ kind: z.string() })
      .describe(
        `What is drawn: the \`source.content\` of a result, or a kind with its fields. Kinds: ${kindsOfFigures()}.`,
      ),
  },
  output: z.object({
    title: z.string(),
    reading: z.string().describe('The reading of the figure, in two sentences.'),
    cautions: z.array(z.string()),
  }),
  async run({ dataset: { filename, version } }, { ask, requestId }, others) {
    const { cells: chosen, content } = others as { cells?: ChosenCells; content?: unknown };
    const source = { dataset_filename: filename, version, subset: chosen?.subset, content };
    const path = '/api/render-figure';
    const body = { source, format: 'png' };
    const png = await bytesOf(await ask({ method: 'POST', path, body, dataset: filename, requestId }));
    return {
      data: wordsOfFile(png)!,
      image: { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
    };
  },
});

function toolOf(declaration: Declaration): Tool {
  const { title, question, summary, rows, path, request, result } = declaration;
  const shown = { ...result.shape, ...resultNotes };
  const shownNames = new Set([...Object.keys(shown), 'source']);
  return tool({
    name: analysisTool(declaration),
    scope: 'analyse',
    title,
    description: `${question} ${summary}. Its table has a row for each ${rows.one}, ${rows.order}.`,
    reads: z.object({ dataset, rows: tablePage.prefault({}) }),
    passes: { cells: cells.optional(), ...request.shape },
    output: z.object({
      table: resultTable,
      ...shown,
      source: z
        .looseObject({})
        .nullable()
        .describe(
          'The figure of the result: `draw_figure` takes its `content`. Null where nothing can be drawn.',
        ),
    }),
    async run({ dataset: named, rows: page }, { ask, requestId }, others) {
      const body = { ...others, dataset: named };
      const answer = await ask({ method: 'POST', path, body, dataset: named.filename, requestId });
      const { table, fields } = await readAnalysis(declaration, answer, page);
      return { data: { table, ...Object.fromEntries([...fields].filter(([name]) => shownNames.has(name))) } };
    },
  });
}

export const analysisTools = declarations.map(toolOf);
