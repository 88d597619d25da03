import { declarations, formFields, formOf } from '@cellfolio/analyses';
import type { PlanStep } from '@cellfolio/assistant';
import { columnTitle, type DatasetAnalysis, groupByTitle } from '@cellfolio/contract';
import { figureName } from '@cellfolio/figures/content';
import { nameList } from '@/lib/format.ts';
import type { RunnableStep } from './ask-host.ts';
import { pageStep } from './runnable-step.ts';

export interface StepWords {
  readonly title: string;
  /** The parameters in the words of the form. */
  readonly chips: readonly { readonly label: string; readonly text: string }[];
}

const maxNames = 6;

/** Labels of the fields of figures. */
const figureLabels: ReadonlyMap<string, string> = new Map([
  ['gene', 'Gene'],
  ['genes', 'Genes'],
  ['column', 'Column'],
  ['columns', 'Columns'],
  ['by', 'By'],
  ['split', 'Split by'],
  ['of', 'Values'],
  ['x', 'Across'],
  ['y', 'Up'],
  ['cell_type', 'Cell type'],
  ['leiden_clusters', 'Clusters'],
  ['score_name', 'Score'],
  ['show', 'Show'],
  ['part', 'Sorted by the share of'],
]);

/** A step of a model, which may call a tool that the page has no form for. */
export function wordsOfPlanStep(step: PlanStep, columns: DatasetAnalysis['columns']): StepWords {
  const runnable = pageStep(step, columns);
  if (runnable) return wordsOfStep(runnable);
  const { tool, arguments: args } = step;
  const labels = new Map(Object.keys(args).map((name) => [name, columnTitle(name)]));
  return { title: columnTitle(tool), chips: chipsOf(args, labels) };
}

export function wordsOfStep(step: RunnableStep): StepWords {
  const ofCells = step.cells === undefined ? [] : [{ label: 'Cells', text: step.cells.name }];
  if ('content' in step) {
    const { content } = step;
    return {
      title: `Figure: ${figureName(content)}`,
      chips: [...ofCells, ...chipsOf(content, figureLabels)],
    };
  }
  const { title, request } = declarations.find(({ id }) => id === step.analysis)!;
  const labels = formFields(request).map(([name, schema]) => {
    return [
      name,
      formOf(schema)?.label ?? schema.meta()?.title ?? sideLabels.get(name) ?? columnTitle(name),
    ] as const;
  });
  return { title, chips: [...ofCells, ...chipsOf(step.request, new Map(labels))] };
}

const sideLabels: ReadonlyMap<string, string> = new Map([
  ['a', 'A'],
  ['b', 'B'],
]);

function chipsOf(args: object, labels: ReadonlyMap<string, string>): StepWords['chips'] {
  return Object.entries(args).flatMap(([name, value]) => {
    const label = labels.get(name);
    const text = label === undefined ? '' : textOf(value, name);
    return label === undefined || text === '' ? [] : [{ label, text }];
  });
}

/** Fields whose texts are columns. */
const ofColumns = new Set(['column', 'columns', 'groupby', 'within', 'by', 'split']);

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return ofColumns.has(name) ? groupByTitle(value) : value;
  if (Array.isArray(value))
    return nameList(
      value.map((one) => textOf(one, name)),
      maxNames,
    );
  if (typeof value !== 'object' || value === null) return String(value);
  const {
    name: title,
    comparison,
    score,
    ...parts
  } = value as { name?: string; comparison?: object; score?: object };
  // A set of cells has a name and a filter.
  if (title !== undefined) return title;
  if (score !== undefined) return textOf(score, '');
  if (comparison !== undefined) {
    const { a, b } = comparison as { a: unknown; b?: unknown };
    return `${textOf(a, '')} against ${b === undefined ? 'all other active cells' : textOf(b, '')}`;
  }
  const texts = Object.entries(parts).flatMap(([part, inner]) => (isTag(part) ? [] : textOf(inner, part)));
  if (texts.length > 0) return texts.join(', ');
  return String(Object.values(parts)[0] ?? '');
}

/** Fields that tell kinds apart. */
function isTag(name: string): boolean {
  return (
    name === 'of' ||
    name === 'by' ||
    name === 'measure' ||
    name === 'kind' ||
    name === 'source' ||
    name === 'score_name'
  );
}
