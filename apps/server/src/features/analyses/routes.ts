import { answerFields, type Declaration, formOf } from '@cellfolio/analyses';
import { type Analysis, analyses as allAnalyses } from '@cellfolio/analyses/serve';
import {
  type AnalysisAnswer,
  analysisCall,
  type ChosenCells,
  type FigureSource,
  type NamedDataset,
} from '@cellfolio/contract';
import { constants } from 'node:zlib';
import type { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { previewTable } from '../../runtime/tables/preview-table.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import {
  analyseComparison,
  type ComparedAnswer,
  type Comparisons,
  comparisonStream,
} from '../gene-comparisons/index.ts';
import {
  definitionLines,
  notesOf,
  onActiveCells,
  type Selection,
  type SelectionServices,
  sourceOf,
  type SubsetFilter,
} from '../selection/index.ts';
import { type AnalysisResult, type AnalysisRunner, figureInput } from './runner.ts';
import { type TableTask, tableOfLists } from './tasks.ts';

export interface AnalysisDeps {
  readonly figures: FigureService;
  readonly analyses: AnalysisRunner;
  readonly compute: Compute;
  readonly datasets: OpenDatasets;
  readonly comparisons: Comparisons;
}

/** Tables of a megabyte: the usual levels take longer than many tests, for a twentieth fewer bytes. */
const compress = {
  zlibOptions: { level: 1 },
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
};

/** The answer; of a comparison of genes, whose table is generated while it is sent, with the result beside its own. */
async function answer(
  services: AnalysisDeps,
  one: Analysis,
  selection: Selection,
  request: object,
  call: CallContext,
): Promise<AnalysisAnswer | ComparedAnswer> {
  const { figures, analyses, compute } = services;
  const { id, figure: kind, preview } = one.declaration;
  const result = await analyses.run(one, selection, request, call);
  if (result.comparison) {
    const compared = await analyseComparison(services, selection, result.comparison, call);
    return { ...compared, answer: { ...compared.answer, ...result.result } };
  }
  const content = { kind: kind.kind, ...result.request, ...result.versions } as FigureSource['content'];
  const fields = answerFields(one.declaration);
  const [figure, table] = await Promise.all([
    figures.draw(selection, content, call, { [id]: figureInput(one, result) }),
    compute.run<TableTask>(tableTask(one, selection, result), call),
  ]);
  const { warnings, facts } = notesOf(selection, result.cautions);
  return {
    [`${fields.table}_csv`]: table,
    ...(preview && {
      [`${fields.table}_preview_table_html`]: previewTable(
        tableOfLists(listsOf(one, result)),
        preview(result.request, result.result),
      ),
    }),
    ...figureFields(fields.figure, figure),
    source: sourceOf(selection, content),
    ...(!fields.hasNoParameters && { parameters: result.request }),
    ...result.result,
    warnings,
    facts: [...result.facts, ...facts],
  } as AnalysisAnswer;
}

function tableTask(one: Analysis, selection: Selection, result: AnalysisResult): TableTask {
  const { path, table, head: headOf } = one.declaration;
  const { columns: names, lists } = listsOf(one, result);
  const columns = Object.entries(table).filter(([name]) => names.includes(name));
  const about = columns.flatMap(([name, column]) => (column.about === '' ? [] : `${name}: ${column.about}`));
  const head = [
    ...definitionLines(selection, { call: path.replace('/api/', ''), parameters: result.request }),
    ...(headOf?.(result.request, result.result) ?? []),
    ...result.facts.map(({ title, message }) => `${title}: ${message}`),
    ...(about.length > 0 ? [`Columns: ${about.join('; ')}`] : []),
  ];
  return {
    kind: 'result-table',
    columns: names,
    lists,
    cautions: result.cautions,
    head,
  };
}

/** The columns that the result has, in their order. */
function listsOf({ declaration }: Analysis, result: AnalysisResult): Pick<TableTask, 'columns' | 'lists'> {
  const values = new Map(Object.entries(result.table));
  const columns = Object.keys(declaration.table).filter((name) => values.has(name));
  return { columns, lists: columns.map((name) => values.get(name)!) };
}

function routeOf(one: Analysis): Route<SelectionServices & AnalysisDeps> {
  const { path, summary, maxBytes } = one.declaration;
  const call = analysisCall(one.declaration);
  return async (app, { services }) => {
    app.post(
      path,
      {
        compress,
        ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
        schema: { summary, tags: ['analyses'], body: call.request, response: { 200: call.answer } },
      },
      async (request, reply) => {
        const { dataset, cells, ...parameters } = request.body as {
          readonly dataset?: NamedDataset;
          readonly cells?: ChosenCells;
        };
        const answered = await onActiveCells(
          services,
          request,
          (selection, context) => answer(services, one, selection, parameters, context),
          { dataset, cells, sides: filtersOf(one.declaration, parameters) },
        );
        if (one.declaration.comparison === undefined) return answered as AnalysisAnswer;
        const stream = comparisonStream(services, request, reply, answered as ComparedAnswer);
        return reply.type('application/json').send(stream as never);
      },
    );
  };
}

/** The filters of the sets of cells that a request compares. */
function filtersOf({ request }: Declaration, parameters: object): (SubsetFilter | undefined)[] {
  const sets = new Map(Object.entries(parameters as Record<string, { filter: SubsetFilter } | undefined>));
  return Object.entries(request.shape).flatMap(([name, schema]) => {
    const form = formOf(schema as z.ZodType);
    return form?.control === 'sides' ? [name, ...(form.also ?? [])].map((set) => sets.get(set)?.filter) : [];
  });
}

export const analysesRoutes = allAnalyses.map(routeOf);
