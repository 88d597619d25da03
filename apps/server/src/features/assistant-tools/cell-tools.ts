import type { Declaration } from '@cellfolio/analyses';
import {
  apiHeaders,
  cellModelAnswer,
  cellModelRequest,
  cellModels,
  exportCellsRequest,
  type ExportContents,
  exportContents,
  exportContentsRequest,
} from '@cellfolio/contract';
import { z } from 'zod';
import { readWithTable, resultTable, tablePage, TableReader } from './read-answer.ts';
import { CallRefused, cells, dataset, json, tool } from './tools.ts';

export const listCellModels = tool({
  name: 'list_cell_models',
  scope: 'read',
  title: 'List trained models of cell types',
  description:
    'Lists the trained models that `classify_cells` takes: species, numbers of types and genes, source and license.',
  reads: z.object({}),
  output: cellModels,
  async run(_none, { ask, requestId }) {
    return { data: await json(ask({ method: 'GET', path: '/api/cell-models', requestId })) };
  },
});

type TableColumns = Declaration['table'];
const column = (kind: TableColumns[string]['kind'], title: string, about = '') => ({ kind, title, about });

const votesOfGroups: TableColumns = {
  group: column('text', 'Group'),
  rank: column('count', 'Rank', 'of the type in the group, 1 for that of most of its cells'),
  cell_type: column('text', 'Cell type'),
  suggestion: column('text', 'Suggestion', 'on the first line of a group'),
  cells: column('count', 'Cells', 'whose best type it is'),
  share: column('share', 'Share', 'of the cells of the group'),
  probability: column('number', 'Probability', 'mean over the cells of the group'),
};
const typesOfCells: TableColumns = {
  barcode: column('text', 'Barcode'),
  group: column('text', 'Group'),
  cell_type: column('text', 'Cell type'),
  probability: column('number', 'Probability'),
};

/** Fields of a classification besides its tables and its picture. */
const classified = cellModelAnswer.pick({
  model: true,
  parameters: true,
  group_title: true,
  genes: true,
  cells: true,
  suggestions: true,
  source: true,
  warnings: true,
  facts: true,
});

export const classifyCells = tool({
  name: 'classify_cells',
  scope: 'analyse',
  title: 'Classify cells by a trained model',
  description:
    'Classifies cells by a trained model of `list_cell_models` and lets the cells of each group vote. A group is Unclear, with reasons, where the model decides it badly. A cell of a type that the model does not know gets the most similar one: check the genes of a suggestion.',
  reads: z.object({
    dataset,
    table: z
      .enum(['groups', 'cells'])
      .default('groups')
      .describe('`groups`: each type that cells of a group have. `cells`: each cell.'),
    rows: tablePage.prefault({}),
  }),
  passes: { cells: cells.optional(), ...cellModelRequest.omit({ dataset: true, cells: true }).shape },
  output: z.object({ table: resultTable, ...classified.shape }),
  async run({ dataset: named, table, rows: page }, { ask, requestId }, others) {
    const path = '/api/classify-cells';
    const body = { ...others, dataset: named };
    const answer = await ask({ method: 'POST', path, body, dataset: named.filename, requestId });
    const groups = new TableReader(votesOfGroups, page);
    const fields = await readWithTable('types_csv', answer, groups);
    const rest = Object.fromEntries(Object.keys(classified.shape).map((name) => [name, fields.get(name)]));
    if (table === 'groups') return { data: { table: await groups.end(), ...rest } };
    const oneByOne = new TableReader(typesOfCells, page);
    oneByOne.write(fields.get('cells_csv') as string);
    return { data: { table: await oneByOne.end(), ...rest } };
  },
});

const exportedTable = exportCellsRequest.pick({
  genes: true,
  metadata: true,
  columns: true,
  coordinates: true,
});
const exportedFile = exportContentsRequest.pick({ counts: true, annotations: true });

export const exportCells = tool({
  name: 'export_cells',
  scope: 'export',
  title: 'Prepare the download of cells',
  description:
    'Prepares the download of a dataset or some of its cells, as .h5ad or as a table, and says what is in it. It sends no cell and writes nothing: `download` is the call of the API that makes the file while it is sent, with a personal key of the scope `export`. Show it to the user, who decides about the download.',
  reads: z.object({
    dataset,
    cells: cells.optional(),
    format: z
      .enum(['h5ad', ...exportCellsRequest.shape.format.def.innerType.options])
      .default('h5ad')
      .describe('`h5ad`: all that the dataset has. `csv` and `parquet`: a line for each cell.'),
  }),
  passes: {
    ...describedFor('h5ad', exportedFile),
    ...describedFor('csv and parquet', exportedTable),
  },
  output: exportContents.omit({ bytes: true }).extend({
    bytes: exportContents.shape.bytes.nullable().describe('About how long the file is; null for a table.'),
    download: z
      .object({
        method: z.literal('POST'),
        url: z.string(),
        headers: z.looseObject({ [apiHeaders.apiKey]: z.string() }),
        body: z.looseObject({}),
      })
      .describe('The call of the API; a personal key takes the place of the one in `headers`.'),
  }),
  async run({ dataset: named, cells: chosen, format }, { ask, requestId, origin = '' }, others) {
    const isFile = format === 'h5ad';
    const options = Object.keys((isFile ? exportedFile : exportedTable).shape);
    const wrong = Object.keys(others).find((name) => !options.includes(name));
    if (wrong !== undefined) {
      const message = `${wrong}: This is no option of ${format}. Leave it out, or give ${options.join(', ')}.`;
      throw new CallRefused(400, { code: 'invalid_request', message });
    }
    const target = { dataset: named, ...(chosen && { cells: chosen }) };
    const contents = await json<ExportContents>(
      ask({
        method: 'POST',
        path: '/api/export-dataset/contents',
        body: { ...target, ...(isFile && others) },
        requestId,
      }),
    );
    const download = {
      method: 'POST',
      url: `${origin}/api/${isFile ? 'export-dataset' : 'export-cells'}`,
      headers: { 'content-type': 'application/json', [apiHeaders.apiKey]: 'cfp_…' },
      body: { ...target, ...others, ...(!isFile && { format }) },
    };
    if (isFile) return { data: { ...contents, download } };
    const { file_name: name, cell_count, gene_count } = contents;
    const file_name = name.replace(/h5ad$/, format);
    return { data: { file_name, cell_count, gene_count, bytes: null, contents: [], left_out: [], download } };
  },
});

/** Arguments that only files of some formats have. */
function describedFor(formats: string, { shape }: z.ZodObject): z.core.$ZodShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const { description = '' } = field as z.ZodType;
      return [name, (field as z.ZodType).describe(`${formats}: ${description}`)];
    }),
  );
}
