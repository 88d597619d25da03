import { resultNotes } from '@cellfolio/contract';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
export type ToolSchema = JsonSchema & { type: 'object' };
type Definitions = ReadonlyMap<string, JsonSchema>;

/** Fields of shared schemas that only the map and saved subsets fill in. */
const fieldsOfTheMap: ReadonlyMap<string, readonly string[]> = new Map([
  ['SubsetFilter', ['cells', 'cells_filter', 'kept']],
]);

/** Keywords of checks that `/api` makes itself, with an error that names the field. */
const checks = new Set(['$schema', 'maxLength', 'minLength', 'pattern', 'maxItems']);

/** Fields of results that most tools have: one sentence describes each. */
const sharedFields = new Set(['table', 'source', ...Object.keys(resultNotes)]);

/** The arguments of a tool. A null, which is the same as an absent argument, is not offered. */
export function inputSchema(schema: z.ZodObject): ToolSchema {
  const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const definitions = new Map(
    Object.entries($defs as Record<string, JsonSchema>).map(([name, { properties = {}, ...others }]) => {
      const left = fieldsOfTheMap.get(name) ?? [];
      const fields = Object.entries(properties).filter(([field]) => !left.includes(field));
      return [name, shorter({ ...others, properties: Object.fromEntries(fields) } as JsonSchema)];
    }),
  );
  const input = shorter(rest as JsonSchema);
  const used = usedIn(input, definitions);
  const shared = [...definitions].filter(([name]) => used.has(name));
  return { ...input, type: 'object', ...(shared.length > 0 && { $defs: Object.fromEntries(shared) }) };
}

/** The fields of a result with their meaning, and names and types of the fields in them. */
export function outputSchema(schema: z.ZodObject): ToolSchema {
  const made = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  const definitions = new Map(Object.entries((made.$defs ?? {}) as Record<string, JsonSchema>));
  const { properties = {}, required = [] } = resolved(made, definitions);
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description } = field as JsonSchema;
    const outlined = outline(field as JsonSchema, sharedFields.has(name) ? 0 : 1, definitions);
    return [name, { ...outlined, ...(description !== undefined && { description }) }];
  });
  return { type: 'object', properties: Object.fromEntries(fields), required };
}

function shorter(schema: JsonSchema): JsonSchema {
  const options = (schema.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== 'null');
  if (options?.length === 1) {
    const { anyOf: _, ...others } = schema;
    return shorter({ ...options[0], ...others });
  }
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (checks.has(key) || isNoBound(key, value)) return [];
    if (key === 'title' && schema.description !== undefined) return [];
    if (key === 'properties') {
      const fields = Object.entries(value as Record<string, JsonSchema>);
      return [[key, Object.fromEntries(fields.map(([name, field]) => [name, shorter(field)]))]];
    }
    if (key === 'anyOf' || key === 'oneOf') return [[key, (value as JsonSchema[]).map(shorter)]];
    // Without it any other fields may come, as they may from a later version of the server.
    if (key === 'additionalProperties' && Object.keys(value as object).length === 0) return [];
    return [[key, key === 'items' || key === 'additionalProperties' ? shorter(value as JsonSchema) : value]];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

/** Types, with the names of fields to a depth of `levels`. */
function outline(schema: JsonSchema, levels: number, definitions: Definitions): JsonSchema {
  const { type, properties, items, anyOf } = resolved(schema, definitions);
  if (levels === 0) return { ...(type && { type }) };
  const inside = (part: unknown) => outline(part as JsonSchema, levels, definitions);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    outline(field as JsonSchema, levels - 1, definitions),
  ]);
  return {
    ...(type && { type }),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
  } as JsonSchema;
}

function resolved(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const target = definitions.get(schema.$ref?.replace('#/$defs/', '') ?? '');
  return target ? resolved(target, definitions) : schema;
}

/** Names of the definitions that a schema refers to, also through others. */
function usedIn(schema: JsonSchema, definitions: Definitions): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (part: JsonSchema | undefined): void => {
    for (const [, name] of JSON.stringify(part ?? {}).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(definitions.get(name!));
    }
  };
  visit(schema);
  return used;
}

/** Whether a keyword says no more than that an integer is exact. */
function isNoBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}
