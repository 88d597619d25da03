import { formOf, formFields, kindsOf } from '@cellfolio/analyses';
import { requestProblem } from '@cellfolio/contract';
import { figureContent } from '@cellfolio/figures/content';
import { listedNames, quotedHead } from '@cellfolio/model';
import { z } from 'zod';
import type { DatasetFacts } from './dataset-facts.ts';
import type { Plan, PlanStep } from './plan.ts';

/** A tool that a plan may call. */
export interface PlanTool {
  readonly name: string;
  /** Its arguments, without `dataset` and `cells`, which code adds. */
  readonly input: z.ZodObject;
}

/** A fault of a step, and what there is instead. */
export interface PlanProblem {
  readonly step: string;
  /** Path of the argument, such as `a.filter.cell_type`; empty for the step itself. */
  readonly field: string;
  readonly problem: string;
}

/** A name of the dataset in the arguments of a step. `group` may be of the `column`, else of any. */
interface UsedName {
  readonly field: string;
  readonly kind: 'column' | 'number column' | 'any column' | 'group' | 'gene';
  readonly name: string;
  readonly column?: string | undefined;
}

type Values = ReadonlyMap<string, unknown>;

/** Arguments that say which data a call reads, at any depth. */
const addedByCode = new Set(['dataset', 'dataset_filename', 'annotations', 'displays']);
/** Parts of a filter that count only where their flag is set. */
const flaggedParts = new Set(['gene', 'signature', 'cell_type', 'patient_metadata']);

/** The problems of a plan for a dataset: empty where every step can be called. */
export function planProblems(
  { steps }: Plan,
  tools: ReadonlyMap<string, PlanTool>,
  facts: DatasetFacts,
): readonly PlanProblem[] {
  return steps.flatMap((step, at) => {
    const inStep = (field: string, problem: string): PlanProblem => ({ step: step.id, field, problem });
    const tool = tools.get(step.tool);
    if (step.id !== `s${at + 1}`)
      return [inStep('id', `Name the steps s1, s2 and so on: this is s${at + 1}.`)];
    if (!tool) {
      const names = [...tools.keys()].join(', ');
      return [inStep('tool', `There is no tool ${quotedHead(step.tool)}. Tools: ${names}.`)];
    }
    const foreign = addedFields(step.arguments);
    if (foreign.length > 0)
      return foreign.map((field) =>
        inStep(field, 'Leave it out: a plan is about the open dataset and the active cells.'),
      );
    const checked = z.safeParse(tool.input.strict(), step.arguments, { error: requestProblem });
    if (!checked.success)
      return checked.error.issues.map(({ path, message }) => inStep(path.join('.'), message));
    return contentProblems(step)
      .map((problem) => inStep('content', problem))
      .concat(
        unflaggedParts(step.arguments).map((field) =>
          inStep(field, `Set ${field.replace(/^.*\./, '')}_filter to true: without it this does not count.`),
        ),
        Array.from(usedNames(step, tool)).flatMap((used) => {
          const problem = missing(used, facts);
          return problem === undefined ? [] : [inStep(used.field, problem)];
        }),
      );
  });
}

/** The names that a plan uses as genes, each once. */
export function genesOfPlan({ steps }: Plan, tools: ReadonlyMap<string, PlanTool>): readonly string[] {
  const names = steps.flatMap((step) => {
    const tool = tools.get(step.tool);
    return tool ? [...usedNames(step, tool)].filter(({ kind }) => kind === 'gene') : [];
  });
  return [...new Set(names.map(({ name }) => name))];
}

function missing({ kind, name, column }: UsedName, { groups, numbers, genes }: DatasetFacts) {
  const ofGroups = groups.map((one) => one.column);
  const there = { column: ofGroups, 'number column': numbers, 'any column': [...ofGroups, ...numbers] };
  if (kind === 'gene') {
    return genes.has(name) ? undefined : `The dataset has no gene ${quotedHead(name)}.`;
  }
  if (kind !== 'group') {
    const columns = there[kind];
    const list =
      columns.length > 0 ? ` There are: ${listedNames(columns, 30)}.` : ' There are no such columns.';
    return columns.includes(name)
      ? undefined
      : `There is no ${kind.replace('any ', '')} ${quotedHead(name)}.${list}`;
  }
  const own = groups.filter((one) => one.column === column);
  const columns = own.length > 0 ? own : groups;
  const names = columns.flatMap((one) => one.names);
  // The groups of a column can be too many to be listed.
  if (columns.some((one) => one.names.length === 0)) return undefined;
  if (names.includes(name)) return undefined;
  const where = own.length > 0 ? ` in ${quotedHead(column!)}` : '';
  return `There is no group ${quotedHead(name)}${where}. There are: ${listedNames(names, 30)}.`;
}

function* usedNames({ arguments: values, tool: name }: PlanStep, tool: PlanTool): Generator<UsedName> {
  if (name === 'draw_figure') yield* genesOfContent(values['content']);
  else yield* namesInFields(tool.input, mapOf(values), '');
}

function* namesInFields(request: z.ZodObject, values: Values, prefix: string): Generator<UsedName> {
  for (const [name, schema] of formFields(request).filter(([field]) => !field.includes('.'))) {
    const value = values.get(name);
    const form = formOf(schema);
    if (value === undefined || value === null || !form) continue;
    const field = `${prefix}${name}`;
    const columnOf = (other: string | undefined) => textOf(values.get(other ?? ''));
    const names = (kind: UsedName['kind'], of: unknown, at = field, column?: string): UsedName[] =>
      textsOf(of).map((text) => ({ field: at, kind, name: text, column }));
    switch (form.control) {
      case 'column':
        yield* names(form.takesNumbers ? 'any column' : 'column', value);
        break;
      case 'groups':
      case 'grouping':
        yield* names('column', value);
        break;
      case 'some-groups': {
        const [groups = ''] = form.also ?? [];
        yield* names('column', value);
        yield* names('group', values.get(groups), `${prefix}${groups}`, textOf(value));
        break;
      }
      case 'binned-groups':
      case 'samples':
      case 'covariates':
        yield* names('any column', value);
        break;
      case 'split':
        yield* names('any column', mapOf(value).get('column'), `${field}.column`);
        break;
      case 'numbers':
        yield* names('number column', value);
        break;
      case 'group':
        yield* names('group', value, field, columnOf(form.of));
        break;
      case 'gene':
      case 'genes':
      case 'gene-list':
        yield* names('gene', value);
        break;
      case 'names':
        if (name === 'genes') yield* names('gene', value);
        break;
      case 'sides':
        for (const side of [name, ...(form.also ?? [])])
          yield* namesInFilter(mapOf(values.get(side)).get('filter'), `${prefix}${side}.filter`);
        break;
      case 'variants': {
        const chosen = mapOf(value);
        const variant = kindsOf(schema).find(({ by, kind }) => chosen.get(by) === kind);
        if (variant) yield* namesInFields(variant.fields, chosen, `${field}.`);
        break;
      }
      default:
    }
  }
}

function* namesInFilter(filter: unknown, field: string): Generator<UsedName> {
  const parts = mapOf(filter);
  const named = (kind: UsedName['kind'], value: unknown, at: string): UsedName[] =>
    textsOf(value).map((name) => ({ field: `${field}.${at}`, kind, name }));
  yield* named('group', parts.get('cell_type'), 'cell_type');
  for (const [title, values] of mapOf(parts.get('patient_metadata')))
    yield* named('group', values, `patient_metadata.${title}`);
  yield* named('gene', mapOf(parts.get('gene')).get('name'), 'gene.name');
  yield* named('gene', mapOf(parts.get('signature')).get('genes'), 'signature.genes');
}

function* genesOfContent(content: unknown): Generator<UsedName> {
  const fields = mapOf(content);
  for (const field of ['gene', 'genes'])
    for (const name of textsOf(fields.get(field))) yield { field: `content.${field}`, kind: 'gene', name };
}

function contentProblems({ tool, arguments: values }: PlanStep): string[] {
  if (tool !== 'draw_figure') return [];
  const read = z.safeParse(figureContent, values['content'], { error: requestProblem });
  return read.success ? [] : read.error.issues.map(({ path, message }) => [...path, message].join(': '));
}

/** Paths of the arguments that a plan may not have. */
function addedFields(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = addedByCode.has(name) || (prefix === '' && name === 'cells') ? [`${prefix}${name}`] : [];
    return here.concat(addedFields(inner, `${prefix}${name}.`));
  });
}

/** Parts of filters without their flag. */
function unflaggedParts(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = mapOf(value);
  const isFilter = fields.has('subset_group_name');
  return Object.entries(value).flatMap(([name, inner]) => {
    const isUnflagged =
      isFilter && flaggedParts.has(name) && inner !== null && fields.get(`${name}_filter`) !== true;
    const here = isUnflagged ? [`${prefix}${name}`] : [];
    return here.concat(unflaggedParts(inner, `${prefix}${name}.`));
  });
}

function mapOf(value: unknown): Values {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
}
