/** A statement as it is sent: values are never in its text. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The values of a statement that is being written. */
export class Values {
  readonly list: unknown[] = [];

  /** The place of a value in the text: `$1` for the first. */
  bind(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** A name in a statement. Only names that the schema knows, or aliases that nothing is looked up by, come here. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualified({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${identifier(schema)}.${identifier(name)}`;
}

/** A name of the schema as a text constant, whatever the session makes of backslashes. */
export function textLiteral(name: string): string {
  const quoted = `'${name.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return quoted.includes('\\') ? `E${quoted}` : quoted;
}
