import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import { answerFields, type Declaration, formFields, formOf } from '@cellfolio/analyses';
import { type Analysis, analyses as allAnalyses, type StreamedTable } from '@cellfolio/analyses/serve';
import {
  type AnalysisAnswer,
  analysisCall,
  type ChosenCells,
  csvComments,
  type FigureSource,
  type NamedDataset,
} from '@cellfolio/contract';
import { noteLines, type ResultCaution } from '@cellfolio/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { endRows, previewTable } from '../../runtime/tables/preview-table.ts';
import { jsonWithTable, nextTurn, streamAnswer } from '../../runtime/http/stream-answer.ts';
import { csvLine, jsonCharacters } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import {
  datasetOf,
  definitionLines,
  notesOf,
  onActiveCells,
  type Selection,
  type SelectionServices,
  sourceOf,
  type SubsetFilter,
} from '../selection/index.ts';
import { type AnalysisResult, type AnalysisRunner, displayedResult } from './runner.ts';
import { columnTable, cutLists, rowCountOf, type StartedTable } from './column-table.ts';
import { type CellTableTask, type TableTask, tableOfLists } from './tasks.ts';

export interface AnalysisDeps {
  readonly figures: FigureService;
  readonly analyses: AnalysisRunner;
  readonly compute: Compute;
}

/** Tables of a megabyte: the usual levels take longer than many tests, for a twentieth fewer bytes. */
const compress = {
  zlibOptions: { level: 1 },
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
};

interface Answered {
  readonly table: string | StartedTable;
  /** The other fields. */
  readonly answer: object;
}

async function answerTo(
  { figures, analyses, compute }: AnalysisDeps,
  one: Analysis,
  selection: Selection,
  request: object,
  call: CallContext,
): Promise<Answered> {
  const { id, figure: drawn, preview } = one.declaration;
  const fields = answerFields(one.declaration);
  const result = await analyses.run(one, selection, request, call);
  const { parameters = result.request } = result;
  const kind = result.kind ?? drawn.kind;
  const content = { kind, ...parameters, ...result.versions } as FigureSource['content'];
  const shown = displayedResult(one, result, selection);
  const [figure, table, cells] = await Promise.all([
    result.isEmpty ? undefined : figures.draw(selection, content, call, { [drawn.from ?? id]: shown.input }),
    isStreamed(result.table)
      ? started(result.table, definitionOf(one, selection, result), result.cautions, call)
      : columnTable(compute, tableTask(one, selection, result, shown), call),
    result.cells && compute.run<CellTableTask>(cellTableTask(one, selection, result), call),
  ]);
  const { warnings, facts } = notesOf(selection, result.cautions);
  const answer = {
    ...(preview && {
      [`${fields.table}_preview_table_html`]: previewOf(
        listsOf(one, shown.preview),
        preview(result.request, result.result),
      ),
    }),
    ...(cells !== undefined && { cells_csv: cells }),
    ...figureFields(fields.figure, figure),
    source: result.isEmpty ? null : sourceOf(selection, content),
    ...(!fields.hasNoParameters && { parameters }),
    ...shown.result,
    warnings,
    facts: [...result.facts, ...facts],
  };
  return { table, answer };
}

function isStreamed(table: AnalysisResult['table']): table is StreamedTable {
  return typeof table['parts'] === 'function';
}

async function started(
  { head, columns, parts }: StreamedTable,
  definition: readonly string[],
  cautions: readonly ResultCaution[],
  call: CallContext,
): Promise<StartedTable> {
  const [first, ...others] = parts();
  const comments = csvComments([...definition, ...head, ...noteLines(cautions)]);
  return { head: `${comments}${csvLine(columns)}`, first: await first!(call), others };
}

function previewOf({ columns, lists }: Pick<TableTask, 'columns' | 'lists'>, empty: string): string {
  const rowCount = rowCountOf(lists);
  const rowsOf = (from: number, to: number) =>
    tableOfLists({ columns, lists: cutLists(lists, from, to) }).rows;
  const isLong = rowCount > 2 * endRows;
  const rows = isLong
    ? [...rowsOf(0, endRows), ...rowsOf(rowCount - endRows, rowCount)]
    : rowsOf(0, rowCount);
  return previewTable({ columns, rows }, empty, rowCount);
}

function definitionOf(
  { declaration: { path } }: Analysis,
  selection: Selection,
  { request }: AnalysisResult,
) {
  return definitionLines(selection, { call: path.replace('/api/', ''), parameters: request });
}

function tableTask(
  one: Analysis,
  selection: Selection,
  result: AnalysisResult,
  shown: ReturnType<typeof displayedResult>,
): TableTask {
  const { table } = one.declaration;
  const { columns: names, lists } = listsOf(one, shown.table);
  const columns = Object.entries(table).filter(([name]) => names.includes(name));
  const about = columns.flatMap(([name, column]) => (column.about === '' ? [] : `${name}: ${column.about}`));
  return {
    kind: 'result-table',
    columns: names,
    lists,
    cautions: result.cautions,
    head: [
      ...headLines(one, selection, result),
      ...shown.head,
      ...(about.length > 0 ? [`Columns: ${about.join('; ')}`] : []),
    ],
  };
}

/** The columns that the result has, in their order. */
function listsOf(
  { declaration }: Analysis,
  table: AnalysisResult['table'],
): Pick<TableTask, 'columns' | 'lists'> {
  const values = new Map(Object.entries(table));
  const columns = Object.keys(declaration.table).filter((name) => values.has(name));
  return { columns, lists: columns.map((name) => values.get(name)!) };
}

function cellTableTask(one: Analysis, selection: Selection, result: AnalysisResult): CellTableTask {
  return {
    kind: 'cell-table',
    dataset: datasetOf(selection),
    ...result.cells!,
    name: one.declaration.cells!.name,
    cautions: result.cautions,
    head: headLines(one, selection, result),
  };
}

function headLines(one: Analysis, selection: Selection, result: AnalysisResult): string[] {
  return [
    ...definitionOf(one, selection, result),
    ...(one.declaration.head?.(result.request, result.result) ?? []),
    ...result.facts.map(({ title, message }) => `${title}: ${message}`),
  ];
}

/** The answer as JSON. Further parts of its table are made while those before them are sent. */
function streamOf(
  { admission }: Pick<SelectionServices, 'admission'>,
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'raw'>,
  { field, table, answer }: { field: string; table: StartedTable; answer: object },
): Readable {
  const { userId } = tabSessionOf(request);
  const signal = request.clientGone;
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield jsonCharacters(table.head);
    yield table.first;
    for (const linesOf of table.others) {
      const leave = await nextTurn(admission, userId, signal);
      let lineBytes: Uint8Array;
      try {
        lineBytes = await linesOf({ signal, users: () => [userId] });
      } finally {
        leave();
      }
      yield lineBytes;
    }
  }
  return streamAnswer(request, reply, jsonWithTable(field, lines(), answer));
}

function routeOf(one: Analysis): Route<SelectionServices & AnalysisDeps> {
  const { path, summary, maxBytes } = one.declaration;
  const call = analysisCall(one.declaration);
  const field = `${answerFields(one.declaration).table}_csv`;
  return async (app, { services }) => {
    app.post(
      path,
      {
        compress,
        config: { scope: 'analyse' },
        ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
        schema: { summary, tags: ['analyses'], body: call.request, response: { 200: call.answer } },
      },
      async (request, reply) => {
        const { dataset, cells, ...parameters } = request.body as {
          readonly dataset?: NamedDataset;
          readonly cells?: ChosenCells;
        };
        const { table, answer } = await onActiveCells(
          services,
          request,
          (selection, context) => answerTo(services, one, selection, parameters, context),
          { dataset, cells, sides: filtersOf(one.declaration, parameters) },
        );
        if (typeof table === 'string') return { [field]: table, ...answer } as AnalysisAnswer;
        const stream = streamOf(services, request, reply, { field, table, answer });
        return reply.type('application/json').send(stream as never);
      },
    );
  };
}

/** The filters of the sets of cells that a request compares. */
function filtersOf({ request }: Declaration, parameters: object): (SubsetFilter | undefined)[] {
  return formFields(request).flatMap(([name, schema]) => {
    const { control, also = [] } = formOf(schema) ?? {};
    const sets =
      control === 'sides' ? [name, ...also] : control === 'comparison' ? [`${name}.a`, `${name}.b`] : [];
    return sets.map((path) => valueAt(parameters, path)?.filter);
  });
}

function valueAt(parameters: object, path: string): { readonly filter: SubsetFilter } | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((of, name) => new Map(Object.entries(of ?? {})).get(name), parameters);
  return value as { readonly filter: SubsetFilter } | undefined;
}

export const analysesRoutes = allAnalyses.map(routeOf);
