/** A schema of JSON Schema 2020-12, as far as it is described here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A table of Markdown; cells are Markdown in which `cell` has escaped what ends them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text of a declaration within a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

/** Limits of a value in words; empty if it has none. */
export function limitsText(schema: Schema): string {
  const { anyOf, enum: values, items } = schema;
  if (values !== undefined || schema.$ref !== undefined) return '';
  if (anyOf !== undefined) {
    const texts = anyOf.map(limitsText).filter(Boolean);
    return [...new Set(texts)].join('; ');
  }
  const own = [
    rangeText(schema),
    countText(schema.minLength, schema.maxLength, 'characters'),
    countText(schema.minItems, schema.maxItems, 'items'),
  ];
  const each = typeof items === 'object' ? limitsText(items) : '';
  return [...own, each && `each ${each}`].filter(Boolean).join(', ');
}

/** Limits of JavaScript's integers are no limits of a field. */
const isLimit = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function rangeText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const low = isLimit(minimum)
    ? `at least ${minimum}`
    : isLimit(exclusiveMinimum)
      ? `above ${exclusiveMinimum}`
      : '';
  const high = isLimit(maximum)
    ? `at most ${maximum}`
    : isLimit(exclusiveMaximum)
      ? `below ${exclusiveMaximum}`
      : '';
  return isLimit(minimum) && isLimit(maximum)
    ? `${minimum} to ${maximum}`
    : [low, high].filter(Boolean).join(', ');
}

function countText(minimum = 0, maximum: number | undefined, noun: string): string {
  if (maximum === undefined) return minimum > 0 ? `at least ${minimum} ${noun}` : '';
  if (minimum === maximum) return `${maximum} ${noun}`;
  return minimum > 0 ? `${minimum} to ${maximum} ${noun}` : `at most ${maximum} ${noun}`;
}
