import { answerFields, type comparison, type Declaration, declarations } from '@cellfolio/analyses';
import { z } from 'zod';
import type { Caution } from '@cellfolio/model/caution';
import { type ResultFact, resultNotes } from './answers.ts';
import { type FigureSource, figureParts, filePixels } from './figures.ts';
import { chosenCells, namedDataset } from './subsets.ts';

/** The answer of an analysis: its table as CSV, its figure as PNG in base64, its result and its notes. */
export type AnalysisAnswer<One extends Declaration = Declaration> = z.output<One['result']> &
  Readonly<Record<`${string}_csv` | `${string}_image`, string>> &
  Readonly<Record<`${string}_width` | `${string}_height`, number>> &
  Readonly<Record<`${string}_print`, z.output<typeof filePixels>>> & {
    readonly parameters: z.output<NonNullable<One['parameters']>>;
    /** Null where there is nothing to draw. */
    readonly figure: z.output<(typeof figureParts)['figure']> | null;
    source: FigureSource | null;
    warnings: Caution[];
    facts: ResultFact[];
  };

export type ComparisonAnswer = AnalysisAnswer<typeof comparison> & { readonly deg_csv: string };

interface AnalysisCall<One extends Declaration> {
  readonly request: z.ZodObject;
  readonly answer: z.ZodType<AnalysisAnswer<One>>;
}

const calls = new Map(declarations.map((declaration) => [declaration.id, callOf(declaration)]));

/** The schemas of `POST` to the path of an analysis. */
export function analysisCall<One extends Declaration>({ id }: One): AnalysisCall<One> {
  return calls.get(id) as unknown as AnalysisCall<One>;
}

function callOf(declaration: Declaration): AnalysisCall<Declaration> {
  const { id, request, result, table, rows, figure, preview, cells } = declaration;
  const fields = answerFields(declaration);
  const name = id.replaceAll(/(?:^|-)./g, (start) => start.slice(-1).toUpperCase());
  const parameters = declaration.parameters ?? request.meta({ id: `${name}Parameters` });
  const pixels = z.number().int().describe('Pixels; 0 where there is nothing to draw.');
  const columns = Object.entries(table).map(
    ([column, { about }]) => `\`${column}\`${about === '' ? '' : ` (${about})`}`,
  );
  const own = {
    [`${fields.table}_csv`]: z
      .string()
      .describe(`A row for each ${rows.one}, ${rows.order}: ${columns.join(', ')}.`),
    ...(preview && {
      [`${fields.table}_preview_table_html`]: z
        .string()
        .describe('The first and last five rows; every cell is escaped.'),
    }),
    ...(cells && {
      cells_csv: z
        .string()
        .describe(
          `A row for each cell: \`barcode\`, a column of obs and \`${cells.name}\` (${cells.about}).`,
        ),
    }),
    [`${fields.figure}_image`]: z
      .string()
      .describe(
        figure.isOptional ? 'PNG in base64; empty where there is nothing to draw.' : 'PNG in base64.',
      ),
    [`${fields.figure}_width`]: pixels,
    [`${fields.figure}_height`]: pixels,
    [`${fields.figure}_print`]: filePixels,
    figure: figure.isOptional
      ? figureParts.figure.nullable().describe('Null where there is nothing to draw.')
      : figureParts.figure,
    source: figure.isOptional
      ? figureParts.source.nullable().describe('Null where there is nothing to draw.')
      : figureParts.source,
    ...(!fields.hasNoParameters && { parameters }),
    ...result.shape,
    ...resultNotes,
  };
  const answer = z.object(own).meta({ id: `${name}Answer` });
  return {
    request: request
      .extend({ dataset: namedDataset.optional(), cells: chosenCells.optional() })
      .meta({ id: `${name}Request` }),
    answer: answer as unknown as AnalysisCall<Declaration>['answer'],
  };
}
