import { answerFields, type Declaration, declarations, formFields, formOf } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall, type FigureSource } from '@cellfolio/contract';
import {
  ArrowDownUp,
  ArrowLeftRight,
  ChartPie,
  ChartScatter,
  ChartSpline,
  GitCompareArrows,
  type LucideIcon,
  Route,
  Table2,
  Tags,
  Target,
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
  scatter: ChartScatter,
  waypoints: Waypoints,
  ends: ArrowDownUp,
  arrows: ArrowLeftRight,
  tags: Tags,
  table: Table2,
  spline: ChartSpline,
  compare: GitCompareArrows,
  route: Route,
  rise: TrendingUp,
  target: Target,
};

/** The analyses that are declared, for the list of the page. */
export const declaredAnalyses: readonly AnalysisModule[] = declarations.map(moduleOf);

export function declaredAnalysis({ id: wanted }: Pick<Declaration, 'id'>): AnalysisModule {
  return declaredAnalyses[declarations.findIndex(({ id }) => id === wanted)]!;
}

export function moduleOf(declaration: Declaration): AnalysisModule {
  const { id, keptAs = id, title, icon, path, request, table, figure, offered, verb, doing } = declaration;
  const { task, question, searchWords = '', impossible } = declaration;
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
  const startedText = (sent: object) => `${verb ?? doing ?? 'Computing the'} ${describe(sent)[0]}`;
  const { started } = declaration;
  return defineAnalysis<FormTexts, object, AnalysisAnswer>({
    id: keptAs,
    title,
    task,
    question,
    searchWords,
    impossible,
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
      Fields: (props) => <SchemaForm {...{ declaration, groupNotes }} {...props} />,
      textsOf: (change) => textsOf(request, change),
      ...(genesField !== undefined && { withGenes: (genes) => ({ [genesField]: genes.join(', ') }) }),
    },
    runningText: (sent) => started?.(request.parse(sent)) ?? startedText(sent),
    ...(started === undefined && { startedText }),
    requestLine: (sent, cells) => {
      const [what, how] = describe(sent);
      return lineOf(verb === undefined ? beginning(declaration, what) : startedText(sent), cells, how);
    },
    columns: new Map(
      Object.entries(table).map(([column, { title: label, kind }]) => [column, { label, kind }]),
    ),
    ...(declaration.titles && {
      titles: ({ parameters }: AnalysisAnswer) => new Map(Object.entries(declaration.titles!(parameters))),
    }),
    files: {
      table: declaration.file ?? id,
      figure: figure.file ?? figure.kind.replaceAll('-', '_'),
    },
    figure: figure.title,
    searchPlaceholder: `Search ${many}${Object.values(table).some(({ kind }) => kind === 'genes') ? ' and genes' : ''}`,
    rowNoun: () => one,
    allRows: (rowCount) => `all ${many} (${formatCount(rowCount)})`,
    ...(declaration.groups && { groupGenes: 'genes' }),
    read: (answer) => ({ ...declaredParts(declaration, answer), ...read?.(answer) }),
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

/** The facts of the declaration, and below them those of the view; undefined where the page has only those of the answer. */
function factsOf(declaration: Declaration, Further: AnalysisView['Facts']): Module['Facts'] {
  const isShown = declaration.headline.length > 0;
  if (!isShown && Further === undefined) return undefined;
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

function declaredParts(declaration: Declaration, answer: AnalysisAnswer): ReturnType<AnalysisModule['read']> {
  const { parameters, figure, warnings } = answer;
  return {
    summary(cells) {
      const [what, how] = declaration.describe(parameters, answer);
      return lineOf(beginning(declaration, what), cells, how);
    },
    figure: figureOf(answer, answerFields(declaration).figure),
    nothing: declaration.nothing?.(parameters, answer, figure ?? {}) ?? null,
    cautions: warnings.map(({ message }) => message),
    groups: (declaration.groups?.(answer) ?? []).map(({ name, genes }) => ({
      name,
      markers: genes.length,
      few_cells: false,
    })),
  };
}

function lineOf(what: string, cells: string, how: string): string {
  return `${what}, ${cells}${how === '' ? '' : `: ${how}`}`;
}

/** The subject at the beginning of a line: one with a text of its own while it runs is a name. */
function beginning({ started }: Declaration, what: string): string {
  return started ? what : capitalised(what);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The answer with its request, which is in its source. */
function withParameters(declaration: Declaration): z.ZodType<AnalysisAnswer> {
  const { request } = declaration;
  return analysisCall(declaration).answer.transform((answer) => ({
    ...answer,
    parameters: request.parse(answer.source?.content),
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
