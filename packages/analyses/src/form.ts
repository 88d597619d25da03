import { z } from 'zod';

/** Control and texts of a field in the form; limits, default and choices are those of its schema. */
export interface FieldForm {
  /**
   * Default: a choice for an enum, a number field for a number. `grouping`: a column, or the types of the cells;
   * `values`: a gene, score or column of numbers; `samples` and `method`: of a comparison of genes;
   * `list`: one of the `source`, or of the user's own in the first field of `also`.
   */
  readonly control?:
    | 'sides'
    | 'column'
    | 'grouping'
    | 'covariates'
    | 'unassigned'
    | 'values'
    | 'samples'
    | 'method'
    | 'list';
  /** Lists of the server. */
  readonly source?: 'gene-sets' | 'markers' | 'pairs';
  /** Default: the title of the schema. */
  readonly label?: string;
  /** Other fields that its control changes; those have no control of their own. */
  readonly also?: readonly string[];
  /** The field with the column whose groups it is about. */
  readonly of?: string;
  readonly hint?: string;
  /** Label and hint of each value of an enum. */
  readonly choices?: Readonly<Record<string, readonly [label: string, hint?: string]>>;
  /** Label of the choice where an optional enum is absent; without it, absent is as its first value. */
  readonly empty?: string;
  /** Noun for what is computed from principal components, which some datasets lack. */
  readonly fromComponents?: string;
  readonly step?: number;
  /** Legend of the box around the fields of a group. */
  readonly group?: string;
}

/** A registry of its own: all of `.meta()` would be part of OpenAPI. */
const forms = z.registry<FieldForm>();

/** The schema with its form; a copy, as analyses share schemas. */
export function field<Schema extends z.ZodType>(schema: Schema, form: FieldForm): Schema {
  const own = schema.clone();
  forms.add(own, form);
  return own;
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
}
export type FieldNotes = Readonly<Record<string, FieldNote>>;
