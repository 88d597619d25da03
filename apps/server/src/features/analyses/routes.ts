import { answerFields, type Declaration, formOf } from '@cellfolio/analyses';
import { type Analysis, analyses as allAnalyses } from '@cellfolio/analyses/serve';
import {
  type AnalysisAnswer,
  analysisCall,
  type ChosenCells,
  type FigureSource,
  type NamedDataset,
} from '@cellfolio/contract';
import type { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Route } from '../../runtime/http/routes.ts';
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
import type { TableTask } from './tasks.ts';

export interface AnalysisDeps {
  readonly figures: FigureService;
  readonly analyses: AnalysisRunner;
  readonly compute: Compute;
  readonly datasets: OpenDatasets;
  readonly comparisons: Comparisons;
}

/** The answer; of a comparison of genes, whose table is generated while it is sent, with the result beside its own. */
async function answer(
  services: AnalysisDeps,
  one: Analysis,
  selection: Selection,
  request: object,
  call: CallContext,
): Promise<AnalysisAnswer | ComparedAnswer> {
  const { figures, analyses, compute } = services;
  const { id, figure: kind } = one.declaration;
  const result = await analyses.run(one, selection, request, call);
  if (result.comparison) {
    const compared = await analyseComparison(services, selection, result.comparison, call);
    return { ...compared, answer: { ...compared.answer, ...result.result } };
  }
  const content = { kind: kind.kind, ...result.request } as FigureSource['content'];
  const fields = answerFields(one.declaration);
  const [figure, table] = await Promise.all([
    figures.draw(selection, content, call, { [id]: figureInput(result) }),
    compute.run<TableTask>(tableTask(one, selection, result), call),
  ]);
  const { warnings, facts } = notesOf(selection, result.cautions);
  return {
    [`${fields.table}_csv`]: table,
    ...figureFields(fields.figure, figure),
    source: sourceOf(selection, content),
    parameters: result.request,
    ...result.result,
    warnings,
    facts: [...result.facts, ...facts],
  };
}

function tableTask({ declaration }: Analysis, selection: Selection, result: AnalysisResult): TableTask {
  const { path, table } = declaration;
  const values = new Map(Object.entries(result.table));
  const columns = Object.entries(table).filter(([name]) => values.has(name));
  const about = columns.flatMap(([name, column]) => (column.about === '' ? [] : `${name}: ${column.about}`));
  const head = [
    ...definitionLines(selection, { call: path.replace('/api/', ''), parameters: result.request }),
    ...result.facts.map(({ title, message }) => `${title}: ${message}`),
    ...(about.length > 0 ? [`Columns: ${about.join('; ')}`] : []),
  ];
  return {
    kind: 'result-table',
    columns: columns.map(([name]) => name),
    lists: columns.map(([name]) => values.get(name)!),
    cautions: result.cautions,
    head,
  };
}

function routeOf(one: Analysis): Route<SelectionServices & AnalysisDeps> {
  const { path, summary } = one.declaration;
  const call = analysisCall(one.declaration);
  return async (app, { services }) => {
    app.post(
      path,
      { schema: { summary, tags: ['analyses'], body: call.request, response: { 200: call.answer } } },
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
