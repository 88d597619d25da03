import { type Declaration, declarations } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { ChartPie, type LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import { type AnalysisModule, defineAnalysis, figureOf, ResultFacts } from '@/features/analyses/index.ts';
import { plural } from '@/lib/format.ts';
import { defaultTexts, formState, type FormTexts, requestOf } from './form-values.ts';
import { SchemaForm } from './schema-form.tsx';

const icons: Readonly<Record<Declaration['icon'], LucideIcon>> = { pie: ChartPie };

/** The analyses that are declared, for the list of the page. */
export const declaredAnalyses: readonly AnalysisModule[] = declarations.map(moduleOf);

export function moduleOf(declaration: Declaration): AnalysisModule {
  const { id, title, icon, path, request, table, figure, headline } = declaration;
  const call = analysisCall(declaration);
  const name = title.toLowerCase();
  const { one, many } = declaration.rows;
  const describe = (sent: object) => declaration.describe(request.parse(sent));
  const startedText = (sent: object) => `Computing the ${describe(sent)[0]}`;
  return defineAnalysis<FormTexts, object, AnalysisAnswer>({
    id,
    title,
    name,
    noticeName: capitalised(name),
    running: `Running ${title}`,
    icon: icons[icon],
    path,
    request: call.request,
    answer: call.answer,
    csvField: `${id}_csv`,
    form: {
      defaults: defaultTexts(request),
      requestOf: (form) => requestOf(request, form),
      isComplete: (form, dataset) => formState(declaration, form, dataset).isComplete,
      Fields: ({ analysis, form, onChange }) => (
        <SchemaForm declaration={declaration} analysis={analysis} form={form} onChange={onChange} />
      ),
    },
    runningText: startedText,
    startedText,
    asked: (sent, cells) => {
      const [what, how] = describe(sent);
      return `${capitalised(what)}, ${cells}: ${how}`;
    },
    columns: new Map(
      Object.entries(table).map(([column, { title: label, kind }]) => [column, { label, kind }]),
    ),
    files: { table: id, figure: figure.kind.replaceAll('-', '_') },
    figure: figure.title,
    searchPlaceholder: `Search ${many}`,
    rowNoun: () => one,
    allRows: (rowCount) => `all ${many} (${plural(rowCount, 'row')})`,
    read: (answer) => {
      const [what, how] = declaration.describe(answer.parameters, answer);
      return {
        summary: (cells) => `${capitalised(what)}, ${cells}: ${how}`,
        figure: figureOf(answer, id),
        nothing: null,
        cautions: answer.warnings.map(({ message }) => message),
        groups: [],
      };
    },
    Facts: ({ answer: { facts } }) => {
      const isLeading = ({ code }: (typeof facts)[number]) => headline.includes(code);
      return (
        <ResultFacts
          line={facts.filter(isLeading).map((fact, at) => (
            <Fragment key={fact.code}>
              {at > 0 && ' · '}
              <span className="font-medium">{fact.title}:</span> {fact.message}
            </Fragment>
          ))}
          facts={facts.filter((fact) => !isLeading(fact))}
        />
      );
    },
  });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
