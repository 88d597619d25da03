import { answerFields, type Declaration, declarations, formFields, formOf } from '@cellfolio/analyses';
import {
  type AnalysisAnswer,
  analysisCall,
  type ComparisonAnswer,
  type FigureSource,
} from '@cellfolio/contract';
import { ArrowDownUp, ChartPie, ChartSpline, type LucideIcon, Table2, Waypoints } from 'lucide-react';
import type { z } from 'zod';
import { type AnalysisModule, defineAnalysis, type FactsProps, figureOf } from '@/features/analyses/index.ts';
import { comparedGenes, ComparisonFacts } from '@/features/comparisons/index.ts';
import { numbersOf, type TableColumns, textAt, textsOf as columnTexts } from '@/features/tables/index.ts';
import { formatCount } from '@/lib/format.ts';
import { defaultTexts, formState, type FormTexts, listFieldOf, requestOf, textsOf } from './form-values.ts';
import { DeclaredFacts, OfferedFigures } from './result-parts.tsx';
import { SchemaForm } from './schema-form.tsx';

const icons: Readonly<Record<Declaration['icon'], LucideIcon>> = {
  pie: ChartPie,
  waypoints: Waypoints,
  ends: ArrowDownUp,
  table: Table2,
  spline: ChartSpline,
};

/** The analyses that are declared, for the list of the page. */
export const declaredAnalyses: readonly AnalysisModule[] = declarations.map(moduleOf);

export function moduleOf(declaration: Declaration): AnalysisModule {
  const { id, title, icon, path, request, table, figure, offered, comparison } = declaration;
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
  const startedText = (sent: object) => `${comparison ? 'Comparing' : 'Computing'} the ${describe(sent)[0]}`;
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
      requestOf(form, dataset) {
        const values = requestOf(request, form);
        return { ...values, ...declaration.chosen?.(values, dataset) };
      },
      isComplete: (form, dataset, offered) => formState(declaration, form, dataset, offered).isComplete,
      ...(lists && { lists: lists.source }),
      Fields: ({ analysis, form, onChange }) => (
        <SchemaForm declaration={declaration} analysis={analysis} form={form} onChange={onChange} />
      ),
      textsOf: (change) => textsOf(request, change),
      ...(genesField !== undefined && { withGenes: (genes) => ({ [genesField]: genes.join(', ') }) }),
    },
    runningText: (sent) => started?.(request.parse(sent)) ?? startedText(sent),
    ...(started === undefined && { startedText }),
    requestLine: (sent, cells) => {
      const [what, how] = describe(sent);
      return lineOf(comparison ? startedText(sent) : begins(what), cells, how);
    },
    columns: new Map(
      Object.entries(table).map(([column, { title: label, kind }]) => [column, { label, kind }]),
    ),
    files: {
      table: declaration.file ?? id,
      figure: comparison?.figureFile ?? figure.file ?? figure.kind.replaceAll('-', '_'),
    },
    figure: figure.title,
    searchPlaceholder: `Search ${many}${Object.values(table).some(({ kind }) => kind === 'genes') ? ' and genes' : ''}`,
    rowNoun: () => one,
    allRows: (rowCount) => `all ${many} (${formatCount(rowCount)})`,
    ...(declaration.groups && { groupGenes: 'genes' }),
    read: (answer) => {
      const [what, how] = declaration.describe(answer.parameters, answer);
      return {
        summary: (cells) => lineOf(begins(what), cells, how),
        figure: figureOf(answer, fields.figure),
        nothing: declaration.nothing?.(answer.parameters, answer, answer.figure) ?? null,
        cautions: answer.warnings.map(({ message }) => message),
        groups: (declaration.groups?.(answer) ?? []).map((group) => ({
          name: group.name,
          markers: group.genes.length,
          few_cells: false,
        })),
      };
    },
    Facts: ({ answer }) => <DeclaredFacts declaration={declaration} answer={answer} />,
    ...(offered && {
      panelTitle: offered.title,
      Figure: ({ answer, group }) => <OfferedFigures offered={offered} answer={answer} group={group} />,
    }),
    followUps: ({ answer, table, group }) =>
      declaration.next?.(answer, { group, textsWith: (...of) => textsWith(table, ...of) }) ?? [],
    ...(comparison && comparedParts(declaration, comparison)),
  });
}

/** Parts of a module whose result is a comparison: those of comparisons, and further figures and facts. */
function comparedParts(
  declaration: Declaration,
  { further, fields }: NonNullable<Declaration['comparison']>,
) {
  const { request } = declaration;
  const requestOfEnds = ({ parameters }: ComparisonAnswer) => ({ ...parameters, ...parameters.ends });
  return {
    ...(comparedGenes as object),
    furtherFigures: further.map(({ title: of, file, kind }) => ({
      figure: of,
      file,
      sourceOf(source: FigureSource, answer: AnalysisAnswer) {
        const content = request.pick(fields).parse(requestOfEnds(answer as unknown as ComparisonAnswer));
        return { ...source, content: { kind, ...content } as FigureSource['content'] };
      },
    })),
    Facts({ answer, onRun }: FactsProps<AnalysisAnswer, object>) {
      const compared = answer as unknown as ComparisonAnswer;
      const runOther = ({ method }: object & { method?: unknown }) => {
        const other = request.safeParse({ ...requestOfEnds(compared), method });
        if (other.success) onRun(other.data);
      };
      return (
        <>
          <DeclaredFacts declaration={declaration} answer={answer} />
          <ComparisonFacts answer={compared} onRun={runOther} />
        </>
      );
    },
  };
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
