import { answerFields, type Declaration, declarations, formFields, formOf } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall, type FigureSource } from '@cellfolio/contract';
import {
  ArrowDownUp,
  ChartPie,
  ChartSpline,
  GitCompareArrows,
  type LucideIcon,
  Route,
  Table2,
  TrendingUp,
  Waypoints,
} from 'lucide-react';
import type { z } from 'zod';
import {
  type AnalysisModule,
  type AnalysisView,
  defineAnalysis,
  figureOf,
} from '@/features/analyses/index.ts';
import { numbersOf, type TableColumns, textAt, textsOf as columnTexts } from '@/features/tables/index.ts';
import { formatCount } from '@/lib/format.ts';
import { defaultTexts, formState, type FormTexts, listFieldOf, textsOf } from './form-values.ts';
import { DeclaredFacts, OfferedFigures } from './result-parts.tsx';
import { SchemaForm } from './schema-form.tsx';
import { views } from './views.ts';

const icons: Readonly<Record<Declaration['icon'], LucideIcon>> = {
  pie: ChartPie,
  waypoints: Waypoints,
  ends: ArrowDownUp,
  table: Table2,
  spline: ChartSpline,
  compare: GitCompareArrows,
  route: Route,
  rise: TrendingUp,
};

/** The analyses that are declared, for the list of the page. */
export const declaredAnalyses: readonly AnalysisModule[] = declarations.map(moduleOf);

export function declaredAnalysis({ id: wanted }: Pick<Declaration, 'id'>): AnalysisModule {
  return declaredAnalyses.find(({ id }) => id === wanted)!;
}

export function moduleOf(declaration: Declaration): AnalysisModule {
  const { id, title, icon, path, request, table, figure, offered, verb } = declaration;
  const { read, Facts: FurtherFacts, groupNotes, ...view } = views.get(id) ?? {};
  const fields = answerFields(declaration);
  const call = analysisCall(declaration);
  const lists = listFieldOf(request);
  const {
    name = title.toLowerCase(),
    notice = capitalised(name),
    running = `Running ${title}`,
  } = declaration.names ?? {};
  const { one, many } = declaration.rows;
  const genesField = formFields(request).find(([, schema]) => formOf(schema)?.control === 'genes')?.[0];
  const describe = (sent: object) => declaration.describe(request.parse(sent));
  const startedText = (sent: object) => `${verb ?? 'Computing the'} ${describe(sent)[0]}`;
  const { started } = declaration;
  // In the middle of a sentence elsewhere, or a name.
  const begins = (what: string) => (started ? what : capitalised(what));
  const lineOf = (what: string, cells: string, how: string) =>
    `${what}, ${cells}${how === '' ? '' : `: ${how}`}`;
  return defineAnalysis<FormTexts, object, AnalysisAnswer>({
    id,
    title,
    name,
    noticeName: notice,
    running,
    ...(declaration.alwaysRetried && { alwaysRetried: true }),
    icon: icons[icon],
    path,
    request: call.request,
    answer: fields.hasNoParameters ? withParameters(declaration) : call.answer,
    csvField: `${fields.table}_csv`,
    form: {
      defaults: defaultTexts(request),
      requestOf: (form, dataset) => formState(declaration, form, dataset).request,
      isComplete: (form, dataset, offered) => formState(declaration, form, dataset, offered).isComplete,
      ...(lists && { lists: lists.source }),
      Fields: ({ analysis, form, onChange }) => (
        <SchemaForm {...{ declaration, groupNotes, analysis, form, onChange }} />
      ),
      textsOf: (change) => textsOf(request, change),
      ...(genesField !== undefined && { withGenes: (genes) => ({ [genesField]: genes.join(', ') }) }),
    },
    runningText: (sent) => started?.(request.parse(sent)) ?? startedText(sent),
    ...(started === undefined && { startedText }),
    requestLine: (sent, cells) => {
      const [what, how] = describe(sent);
      return lineOf(verb === undefined ? begins(what) : startedText(sent), cells, how);
    },
    columns: new Map(
      Object.entries(table).map(([column, { title: label, kind }]) => [column, { label, kind }]),
    ),
    files: {
      table: declaration.file ?? id,
      figure: figure.file ?? figure.kind.replaceAll('-', '_'),
    },
    figure: figure.title,
    searchPlaceholder: `Search ${many}${Object.values(table).some(({ kind }) => kind === 'genes') ? ' and genes' : ''}`,
    rowNoun: () => one,
    allRows: (rowCount) => `all ${many} (${formatCount(rowCount)})`,
    ...(declaration.groups && { groupGenes: 'genes' }),
    read: (answer) => ({
      summary(cells) {
        const [what, how] = declaration.describe(answer.parameters, answer);
        return lineOf(begins(what), cells, how);
      },
      figure: figureOf(answer, fields.figure),
      nothing: declaration.nothing?.(answer.parameters, answer, answer.figure) ?? null,
      cautions: answer.warnings.map(({ message }) => message),
      groups: (declaration.groups?.(answer) ?? []).map((group) => ({
        name: group.name,
        markers: group.genes.length,
        few_cells: false,
      })),
      ...read?.(answer),
    }),
    Facts: factsOf(declaration, FurtherFacts),
    furtherFigures: furtherFigures(declaration),
    ...(offered && {
      panelTitle: offered.title,
      Figure: ({ answer, group }) => <OfferedFigures offered={offered} answer={answer} group={group} />,
    }),
    followUps: ({ answer, table, group }) =>
      declaration.next?.(answer, { group, textsWith: (...of) => textsWith(table, ...of) }) ?? [],
    ...(view as Partial<Module>),
  });
}

type Module = AnalysisModule<FormTexts, object, AnalysisAnswer>;

/** The facts of the declaration, and below them those of the view. */
function factsOf(declaration: Declaration, Further: AnalysisView['Facts']): NonNullable<Module['Facts']> {
  const isShown = declaration.headline.length > 0 || Further === undefined;
  return ({ answer, onRun }) => (
    <>
      {isShown && <DeclaredFacts declaration={declaration} answer={answer} areOwn={Further !== undefined} />}
      {Further && <Further answer={answer} onRun={(changed) => onRun(declaration.request.parse(changed))} />}
    </>
  );
}

function furtherFigures({ further = [] }: Declaration): NonNullable<Module['furtherFigures']> {
  return further.map(({ title, file, content }) => ({
    figure: title,
    file,
    sourceOf: (source, { parameters }) => ({
      ...source,
      content: content(parameters) as FigureSource['content'],
    }),
  }));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The answer with its request, which is in its source. */
function withParameters(declaration: Declaration): z.ZodType<AnalysisAnswer> {
  const { request } = declaration;
  return analysisCall(declaration).answer.transform((answer) => ({
    ...answer,
    parameters: request.parse(answer.source.content),
  }));
}

function textsWith({ columns, rowCount }: TableColumns, column: string, other: string): string[] {
  const [texts, numbers] = [columnTexts(columns, column), numbersOf(columns, other)];
  if (texts === undefined || numbers === undefined) return [];
  const shownTexts: string[] = [];
  for (let row = 0; row < rowCount; row++)
    if (!Number.isNaN(numbers[row])) shownTexts.push(textAt(texts, row));
  return shownTexts;
}
