import {
  type DatasetFacts,
  type Declaration,
  type FieldNotes,
  formOf,
  isRefusedList,
  type OfferedList,
} from '@cellfolio/analyses';
import { z } from 'zod';
import {
  type ListSource,
  listSources,
  numberOrZero,
  ownListChoice,
  ownListProblem,
} from '@/features/analyses/index.ts';

/** The fields of a form as texts, as they are typed and stored: names and numbers as they are, lists and sets as JSON. */
export type FormTexts = Readonly<Record<string, string>>;

export function fieldsOf(request: z.ZodObject): [name: string, schema: z.ZodType][] {
  return Object.entries(request.shape as Record<string, z.ZodType>);
}

/** The schema without default and optional, and the default. */
export function unwrapped(schema: z.ZodType): { readonly inner: z.ZodType; readonly defaultValue: unknown } {
  if (schema instanceof z.ZodDefault) {
    const { inner } = unwrapped(schema.unwrap() as z.ZodType);
    return { inner, defaultValue: schema.def.defaultValue };
  }
  if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap() as z.ZodType);
  return { inner: schema, defaultValue: undefined };
}

export function defaultTexts(request: z.ZodObject): FormTexts {
  return Object.fromEntries(
    fieldsOf(request).map(([name, schema]) => [name, textOf(unwrapped(schema).defaultValue)]),
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The request as far as the form has it. Texts are from storage, too, and may be of another version of the page. */
export function requestOf(request: z.ZodObject, form: FormTexts): Record<string, unknown> {
  const texts = new Map(Object.entries(form));
  const values = fieldsOf(request).map(([name, schema]) => [name, valueOf(schema, texts.get(name) ?? '')]);
  const unused = unusedListField(request, texts);
  return Object.fromEntries(
    values.filter(([name, value]) => value !== undefined && name !== unused),
  ) as Record<string, unknown>;
}

/** The list that a form offers: the field with its name, and the one with the user's own in its place. */
interface OfferedListField {
  readonly name: string;
  readonly own: string | undefined;
  readonly source: ListSource;
}

export function listFieldOf(request: z.ZodObject): OfferedListField | undefined {
  for (const [name, schema] of fieldsOf(request)) {
    const form = formOf(schema);
    if (form?.source !== undefined) return { name, own: form.also?.[0], source: listSources[form.source] };
  }
  return undefined;
}

function unusedListField(request: z.ZodObject, texts: ReadonlyMap<string, string>): string | undefined {
  const list = listFieldOf(request);
  return list && (texts.get(list.name) === ownListChoice ? list.name : list.own);
}

function valueOf(schema: z.ZodType, text: string): unknown {
  const { inner, defaultValue } = unwrapped(schema);
  if (inner instanceof z.ZodNumber) {
    const value = numberOrZero(text);
    return inner.format === 'safeint' ? Math.trunc(value) : value;
  }
  if (inner instanceof z.ZodEnum) return inner.options.includes(text) ? text : defaultValue;
  if (text === '' || inner instanceof z.ZodString) return text === '' ? undefined : text;
  try {
    const value: unknown = JSON.parse(text);
    // Without what is chosen of the other kinds.
    return inner instanceof z.ZodDiscriminatedUnion ? (inner.safeParse(value).data ?? value) : value;
  } catch {
    return defaultValue;
  }
}

export interface FormState {
  readonly notes: FieldNotes;
  /** Whether the request can be sent. */
  readonly isComplete: boolean;
}

export function formState(
  { request, notes }: Pick<Declaration, 'request' | 'notes'>,
  form: FormTexts,
  dataset: DatasetFacts,
  lists: readonly OfferedList[] = [],
): FormState {
  const values = requestOf(request, form);
  const field = listFieldOf(request);
  const texts = new Map(Object.entries(form));
  const chosen = field && texts.get(field.name);
  const list = lists.find(({ name }) => name === chosen);
  const noteTexts = notes?.(values, { ...dataset, list }) ?? {};
  const { own } = field?.source ?? {};
  const isListed =
    own && chosen === ownListChoice
      ? ownListProblem(texts.get(field!.own ?? '') ?? '', own) === undefined
      : !isRefusedList(dataset, list, undefined);
  const isComplete =
    isListed &&
    request.safeParse(values).success &&
    Object.values(noteTexts).every(({ problem }) => problem === undefined);
  return { notes: noteTexts, isComplete };
}
