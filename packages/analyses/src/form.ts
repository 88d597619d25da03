import { z } from 'zod';
import type { ListEntries } from './reference-lists.ts';

/** Control and texts of a field in the form; limits, default and choices are those of its schema. */
export interface FieldForm {
  /**
   * Default: a choice for an enum, a number field for a number, a check for a boolean without choices. `grouping`: a
   * column, or the types of the cells; `binned-groups`: a column of groups, or of numbers with their bins in the first field
   * of `also`, `split`: a second one, as grouping; `groups`: a column of groups, by default that of the types or clusters,
   * `some-groups`: one with some of its groups in the first field of `also`, `group`: one
   * of them; `numbers`: a column of numbers; `line`: both ends on an embedding; `samples`: of a comparison of genes;
   * `cell-test`: depth, and the defaults of scanpy; `list`: one of the `source`, or of the user's own in the first field of
   * `also`; `genes`: names in a text; `names`: the same in one line, as they are written; `gene-list`: genes that are
   * searched, `gene`: one; `variants`: one of the kinds of a discriminated union, with the fields of each;
   * `check`: an enum of two, the second where its label is checked; `none`: for calls of the API alone;
   * `comparison`: one that ran before; `ranking`: lines of genes and numbers, the numbers in the first of `also`.
   */
  readonly control?:
    | 'sides'
    | 'column'
    | 'grouping'
    | 'covariates'
    | 'unassigned'
    | 'groups'
    | 'group'
    | 'binned-groups'
    | 'split'
    | 'check'
    | 'none'
    | 'numbers'
    | 'text'
    | 'names'
    | 'gene'
    | 'gene-list'
    | 'cell-state'
    | 'barcode'
    | 'embedding'
    | 'line'
    | 'some-groups'
    | 'samples'
    | 'cell-test'
    | 'list'
    | 'genes'
    | 'variants'
    | 'comparison'
    | 'ranking';
  /** Lists of the server that it is one of; the version of the list is in the content of figures. */
  readonly source?: 'gene-sets' | keyof ListEntries;
  /** Default: the title of the schema. */
  readonly label?: string;
  /** Other fields that its control changes; those have no control of their own. */
  readonly also?: readonly string[];
  /** The field with the column whose groups it is about. */
  readonly of?: string;
  /** Fields about the groups of this column, which another column empties. */
  readonly empties?: readonly string[];
  readonly hint?: string;
  /** Label and hint of each value of an enum or a boolean, and of each kind of a variant. */
  readonly choices?: Readonly<Record<string, readonly [label: string, hint?: string]>>;
  /** Label of the choice where an optional enum or column is absent; without it, an absent enum is as its first value. */
  readonly empty?: string;
  /** Until the user chooses, the form sends what the declaration chooses for the dataset. */
  readonly isSuggested?: true;
  /** A column of labels or numbers, rather than of labels alone. */
  readonly takesNumbers?: true;
  /** Noun for what is computed from principal components, which some datasets lack. */
  readonly fromComponents?: string;
  readonly step?: number;
  /** A share that is typed in percent. */
  readonly isPercent?: true;
  /** Legend of the box around the fields of a group. */
  readonly group?: string;
  /** The group is closed until somebody opens it. */
  readonly isFolded?: true;
}

/** A registry of its own: all of `.meta()` would be part of OpenAPI. */
const forms = z.registry<FieldForm>();

/** The schema with its form; a copy, as analyses share schemas. */
export function field<Schema extends z.ZodType>(schema: Schema, form: FieldForm): Schema {
  const own = schema.clone();
  forms.add(own, form);
  return own;
}

/** The field of a request that names a list of the server. */
export interface ListFields {
  readonly source: NonNullable<FieldForm['source']>;
  readonly name: string;
  /** The field with the user's own text in its place; empty where there is none. */
  readonly own: string;
  /** The field of its version in the content of figures: with another list they would be others. */
  readonly version: string;
}

export function listFields({ shape }: z.ZodObject): ListFields[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { source, also: [own = ''] = [] } = formOf(schema as z.ZodType) ?? {};
    return source === undefined
      ? []
      : [{ source, name, own, version: `${name.replace(/_name$/, '')}_version` }];
  });
}

/** Names of fields in the order of a form, with the fields of all kinds of a variant as `field.kind.name`. */
export function formFields(request: z.ZodObject, prefix = ''): [name: string, schema: z.ZodType][] {
  const fields: [name: string, schema: z.ZodType][] = [];
  for (const [name, schema] of Object.entries(request.shape as Record<string, z.ZodType>)) {
    fields.push([`${prefix}${name}`, schema]);
    if (formOf(schema)?.control !== 'variants') continue;
    for (const { kind, fields: own } of kindsOf(schema))
      fields.push(...formFields(own, `${prefix}${name}.${kind}.`));
  }
  return fields;
}

/** The kinds of a variant by the value that tells them apart, without the field that has it. */
export function kindsOf(
  variant: z.ZodType,
): { readonly by: string; readonly kind: string; readonly fields: z.ZodObject }[] {
  const { inner } = unwrapped(variant);
  if (!(inner instanceof z.ZodDiscriminatedUnion))
    throw new TypeError('Only a discriminated union has kinds.');
  const by = inner.def.discriminator;
  return (inner.options as z.ZodObject[]).map((option) => {
    const fields = option.omit({ [by]: true } as Record<string, never>);
    const literal = new Map(Object.entries(option.shape)).get(by) as z.ZodLiteral;
    return { by, kind: String(literal.value), fields };
  });
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

/** Undefined for a field that the control of another field changes. */
export function formOf(schema: z.ZodType): FieldForm | undefined {
  return forms.get(schema);
}

/** Texts of a field of a form that depend on the request and the dataset. */
export interface FieldNote {
  /** Meaning of an empty choice. */
  readonly empty?: string;
  readonly hint?: string;
  readonly warning?: string;
  /** Why the request cannot be sent. */
  readonly problem?: string;
  /** The field is neither shown nor sent. */
  readonly isAbsent?: true;
}
export type FieldNotes = Readonly<Record<string, FieldNote>>;
