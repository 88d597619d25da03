import {
  type DatasetFacts,
  type Declaration,
  type FieldNotes,
  formFields,
  formOf,
  groupColumns,
  isRefusedList,
  kindsOf,
  listFields,
  type OfferedList,
  unwrapped,
} from '@cellfolio/analyses';
import { z } from 'zod';
import {
  type ListSource,
  listSources,
  numberOrZero,
  ownListChoice,
  ownListProblem,
  shareOf,
} from '@/features/analyses/index.ts';
import { readGeneList } from './genes-field.tsx';
import { binsOf, columnOf, splitOf } from './group-columns.ts';
import { rankingOf, rankingText } from './ranking-field.tsx';

/** The fields of a form as texts, as they are typed and stored: names and numbers as they are, lists and sets as JSON. */
export type FormTexts = Readonly<Record<string, string>>;

/** The text of a field that is left out on purpose, where the form would send a value. No name has it. */
export const leftOut = '\0';

/** The value of a field in which nothing is chosen; undefined where the declaration chooses one for the dataset. */
function defaultOf(schema: z.ZodType): unknown {
  return formOf(schema)?.isSuggested ? undefined : unwrapped(schema).defaultValue;
}

export function defaultTexts(request: z.ZodObject): FormTexts {
  return Object.fromEntries(
    formFields(request).map(([name, schema]) => [name, textOf(schema, defaultOf(schema))]),
  );
}

function textOf(schema: z.ZodType, value: unknown): string {
  const { control, isPercent } = formOf(schema) ?? {};
  if (control === 'variants') {
    const kinds = kindsOf(schema);
    return (kinds.find((one) => isOfKind(one, value)) ?? kinds[0]!).kind;
  }
  if (value === undefined) return '';
  if (control === 'genes' || control === 'names') return (value as readonly string[]).join(', ');
  if (isPercent) return String(Number((100 * Number(value)).toPrecision(12)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isOfKind({ by, kind }: { readonly by: string; readonly kind: string }, value: unknown): boolean {
  return new Map(Object.entries(value ?? {})).get(by) === kind;
}

/** The texts of a form that has some values of a request. */
export function textsOf({ shape }: z.ZodObject, request: object, prefix = ''): FormTexts {
  const schemas = new Map(Object.entries(shape as Record<string, z.ZodType>));
  const texts: [name: string, text: string][] = [];
  const skipped = new Set<string>();
  for (const [name, value] of Object.entries(request)) {
    const schema = schemas.get(name);
    if (schema === undefined || value === undefined) continue;
    if (value === null) {
      texts.push([`${prefix}${name}`, leftOut]);
      continue;
    }
    const form = formOf(schema);
    if (form?.control === 'ranking') {
      const values = new Map(Object.entries(request)).get(form.also![0]!) as readonly (number | null)[];
      texts.push([`${prefix}${name}`, rankingText(value as readonly string[], values)]);
      skipped.add(form.also![0]!);
      continue;
    }
    if (skipped.has(name)) continue;
    texts.push([`${prefix}${name}`, textOf(schema, value)]);
    if (form?.control !== 'variants') continue;
    const { kind, fields } = kindsOf(schema).find((one) => isOfKind(one, value))!;
    texts.push(...Object.entries(textsOf(fields, value as object, `${prefix}${name}.${kind}.`)));
  }
  return Object.fromEntries(texts);
}

/** The request as far as the form has it, null for what is left out on purpose. Texts are from storage, too, and may be of another version of the page. */
export function requestOf(
  request: z.ZodObject,
  form: FormTexts,
  dataset: DatasetFacts = {},
): Record<string, unknown> {
  const texts = new Map(Object.entries(form));
  const unused = unusedListField(request, texts);
  const values = valuesOf(request, texts, dataset).filter(([name]) => name !== unused);
  return Object.fromEntries(values) as Record<string, unknown>;
}

function valuesOf(
  { shape }: z.ZodObject,
  texts: ReadonlyMap<string, string>,
  dataset: DatasetFacts,
  prefix = '',
): (readonly [name: string, value: unknown])[] {
  const fields = Object.entries(shape as Record<string, z.ZodType>);
  const values = fields.flatMap(([name, schema]): [name: string, value: unknown][] => {
    const text = texts.get(`${prefix}${name}`) ?? '';
    const form = formOf(schema);
    switch (form?.control) {
      case 'variants': {
        const { by, kind, fields } = chosenKind(schema, text);
        const values = Object.fromEntries(valuesOf(fields, texts, dataset, `${prefix}${name}.${kind}.`));
        return [[name, { [by]: kind, ...values }]];
      }
      case 'genes':
        return [[name, readGeneList(text)]];
      case 'names': {
        const names = readNames(text);
        return [[name, names.length > 0 ? names : undefined]];
      }
      case 'groups':
        return [[name, text || defaultGroups(dataset)]];
      case 'binned-groups': {
        const [bins = ''] = form.also ?? [];
        return [
          [name, columnOf(text) || undefined],
          [bins, binsOf(texts.get(bins) ?? '')],
        ];
      }
      case 'split':
        return [[name, splitOf(text, texts.get(form.of ?? '') ?? '')]];
      case 'text':
      case 'barcode':
        return [[name, text.trim()]];
      case 'ranking': {
        const { genes, values, problem } = rankingOf(text);
        const [numbers = ''] = form?.also ?? [];
        return problem === undefined
          ? [
              [name, genes],
              [numbers, values],
            ]
          : [];
      }
      default:
        return [[name, valueOf(schema, text)]];
    }
  });
  return values.filter(([, value]) => value !== undefined);
}

/** The names in a text, each once. */
export function readNames(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((name) => name !== ''))];
}

/** The column of groups that a form suggests. */
export function defaultGroups({ columns }: DatasetFacts): string | undefined {
  return columns?.cell_types ?? columns?.leiden_clusters;
}

/** Text of a field in the same variant as a named one, or around it. */
export function textBeside(texts: ReadonlyMap<string, string>, name: string, beside: string): string {
  const path = name.split('.').slice(0, -1);
  while (path.length > 0) {
    const text = texts.get([...path, beside].join('.'));
    if (text !== undefined) return text;
    // A variant and its kind.
    path.splice(-2);
  }
  return texts.get(beside) ?? '';
}

/** The kind of a variant with this name, or the first. */
export function chosenKind(variant: z.ZodType, text: string): ReturnType<typeof kindsOf>[number] {
  const kinds = kindsOf(variant);
  return kinds.find(({ kind }) => kind === text) ?? kinds[0]!;
}

/** The list that a form offers: the field with its name, and the one with the user's own in its place. */
interface OfferedListField {
  readonly name: string;
  readonly own: string;
  readonly source: ListSource;
}

export function listFieldOf(request: z.ZodObject): OfferedListField | undefined {
  const [field] = listFields(request);
  // name-dictionary: names of sources
  return field && { ...field, source: listSources[field.source] };
}

function unusedListField(request: z.ZodObject, texts: ReadonlyMap<string, string>): string | undefined {
  const list = listFieldOf(request);
  return list && (texts.get(list.name) === ownListChoice ? list.name : list.own);
}

function valueOf(schema: z.ZodType, text: string): unknown {
  if (text === leftOut) return null;
  const { inner } = unwrapped(schema);
  if (formOf(schema)?.control === 'some-groups' && text !== '') return columnOf(text);
  if (inner instanceof z.ZodNumber) {
    const value = formOf(schema)?.isPercent ? shareOf(text) : numberOrZero(text);
    return inner.format === 'safeint' ? Math.trunc(value) : value;
  }
  if (inner instanceof z.ZodBoolean) return text === '' ? defaultOf(schema) : text === 'true';
  if (inner instanceof z.ZodEnum) return inner.options.includes(text) ? text : defaultOf(schema);
  if (text === '' || inner instanceof z.ZodString) return text === '' ? undefined : text;
  try {
    const value: unknown = JSON.parse(text);
    // A list of too few stays: the request is refused, and not another one sent.
    const ofAnyLength = inner instanceof z.ZodArray ? z.array(inner.element as z.ZodType) : inner;
    return ofAnyLength.safeParse(value).success ? value : defaultOf(schema);
  } catch {
    return defaultOf(schema);
  }
}

export interface FormState {
  /** As far as the form has it. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly notes: FieldNotes;
  /** Fields that are neither shown nor sent. */
  readonly absent: ReadonlySet<string>;
  /** Whether the request can be sent. */
  readonly isComplete: boolean;
}

export function formState(
  { request, chosen: choose, notes }: Pick<Declaration, 'request' | 'chosen' | 'notes'>,
  form: FormTexts,
  dataset: DatasetFacts,
  lists: readonly OfferedList[] = [],
): FormState {
  const own = requestOf(request, form, dataset);
  const values = Object.entries({ ...own, ...choose?.(own, dataset) }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const field = listFieldOf(request);
  const texts = new Map(Object.entries(form));
  const chosen = field && texts.get(field.name);
  const list = lists.find(({ name }) => name === chosen);
  const noteTexts = notes?.(Object.fromEntries(values), { ...dataset, list }) ?? {};
  const absent = absentFields(request, noteTexts);
  const sent = Object.fromEntries(values.filter(([name]) => !absent.has(name)));
  const { own: ownList } = field?.source ?? {};
  const isListed =
    ownList && chosen === ownListChoice
      ? ownListProblem(texts.get(field!.own) ?? '', ownList) === undefined
      : !isRefusedList(dataset, list, undefined);
  const isComplete =
    isListed &&
    hasGroupColumn(request, form, dataset) &&
    request.safeParse(sent).success &&
    Object.values(noteTexts).every(({ problem }) => problem === undefined);
  return { request: sent, notes: noteTexts, absent, isComplete };
}

function absentFields({ shape }: z.ZodObject, notes: FieldNotes): Set<string> {
  const schemas = new Map(Object.entries(shape as Record<string, z.ZodType>));
  const absent = new Set<string>();
  for (const [name, { isAbsent }] of Object.entries(notes)) {
    // Notes on fields of a variant have names that are in no request.
    const schema = isAbsent ? schemas.get(name) : undefined;
    if (schema) for (const one of [name, ...(formOf(schema)?.also ?? [])]) absent.add(one);
  }
  return absent;
}

/** Whether the column of groups, where one is chosen, is one of the dataset or of the user's own. */
function hasGroupColumn({ shape }: z.ZodObject, form: FormTexts, dataset: DatasetFacts): boolean {
  const texts = new Map(Object.entries(form));
  const columns = groupColumns(dataset);
  return Object.entries(shape as Record<string, z.ZodType>).every(([name, schema]) => {
    const text = texts.get(name) ?? '';
    const isOffered = text === '' || columnOf(text) !== text || columns.includes(text);
    return isOffered || !['some-groups', 'binned-groups'].includes(formOf(schema)?.control ?? '');
  });
}
