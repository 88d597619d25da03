import { cell, code, limitsText, type Schema, table } from './schema-words.ts';

interface Media {
  readonly schema?: Schema;
}
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}
export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A page of the reference: its path on the site, its title and its Markdown. */
export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** Heading of a call, of which its anchor is made. */
const headingOf = (method: string, path: string) => `${method.toUpperCase()} ${path}`;

/** Pages of the calls by subject, and one of the schemas that they share. */
export function apiPages({ tags, paths, components }: OpenApi): ReferencePage[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ heading: headingOf(method, path), operation })),
  );
  const pages = tags.map(({ name, description }) => ({
    path: pathOf(name),
    title: name[0]!.toUpperCase() + name.slice(1),
    text: [
      `# API: ${name}`,
      description,
      ...calls
        .filter(({ operation }) => operation.tags[0] === name)
        .flatMap(({ heading, operation }) => callText(heading, operation, components.schemas)),
    ].join('\n\n'),
  }));
  return [...pages, { path: schemasPath, title: 'Shared schemas', text: schemasText(components.schemas) }];
}

/** Where calls are described, by `POST /api/…`; what stands for a parameter does not matter. */
export function callPaths({ paths }: OpenApi): (call: string) => string | undefined {
  const named = (call: string) => call.replaceAll(/\{[^}]*\}/g, '{}');
  const places = new Map<string, string>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { tags }] of Object.entries(methods)) {
      const heading = headingOf(method, path);
      places.set(named(heading), `${pathOf(tags[0]!)}#${slug(heading)}`);
    }
  return (call) => places.get(named(call));
}

const schemasPath = '/reference/schemas';
const pathOf = (tag: string) => `/reference/${tag.replaceAll(' ', '-')}`;

/** An anchor as GitHub makes it of a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

type Schemas = OpenApi['components']['schemas'];

function callText(heading: string, operation: Operation, schemas: Schemas): string[] {
  const { summary, description, deprecated, parameters = [], requestBody, responses } = operation;
  const headers = parameters.filter((one) => one.in === 'header').map(({ name }) => code(name));
  const others = parameters.filter((one) => one.in !== 'header');
  const answer = Object.entries(responses).find(([status]) => status < '300')?.[1];
  const refusals = Object.entries(responses).filter(([status]) => status >= '300');
  const body = withoutNull(requestBody?.content['application/json']?.schema);
  const media = Object.keys(answer?.content ?? {}).filter((type) => type !== 'application/json');
  const result = answer?.content?.['application/json']?.schema;
  return [
    `## ${code(heading)}`,
    [
      `${summary}.`,
      description ?? '',
      deprecated ? '**Deprecated.**' : '',
      `_${accessText(operation)}_`,
      headers.length > 0 ? `Headers: ${headers.join(', ')}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...(others.length > 0
      ? [
          table(
            ['parameter', 'value', 'meaning'],
            others.map(({ name, in: place, required = false, description: about = '', schema }) => [
              `${code(name)} in the ${place}`,
              valueText(schema, required),
              cell(about || (schema.description ?? '')),
            ]),
          ),
        ]
      : []),
    ...(body ? ['**Request**', schemaText(body, schemas)] : []),
    ...(media.length > 0 ? [`Answers ${media.map((type) => code(type)).join(', ')}.`] : []),
    ...(result?.properties || result?.$ref ? ['**Answer**', schemaText(result, schemas)] : []),
    ...(refusals.length > 0
      ? [
          table(
            ['error', 'reason'],
            refusals.map(([status, { description: reason }]) => [status, cell(reason)]),
          ),
        ]
      : []),
  ];
}

/** The keys that a call takes, in the words of the guide. */
function accessText({ security = [] }: Operation): string {
  const ways = security.map((way) => Object.keys(way).join('+'));
  if (ways.length === 0) return 'Takes no key.';
  const isOpenToKeys = ways.includes('apiKey');
  const isOpenToSessions = ways.includes('apiKey+bearer');
  if (!isOpenToKeys) return 'Takes a session.';
  return isOpenToSessions
    ? 'Takes a personal key or a session.'
    : 'Takes the key of the web app or a personal key.';
}

/** Table of the fields of an object, or the type of another value. */
function schemaText(schema: Schema, schemas: Schemas): string {
  const inner = resolved(schema, schemas);
  const rows = fieldRows(inner, '');
  if (rows.length === 0) return `${typeText(inner)}. ${cell(inner.description ?? '')}`.trim();
  const about = inner.description === undefined ? '' : `${cell(inner.description)}\n\n`;
  return `${about}${table(['field', 'value', 'meaning'], rows)}`;
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  return new Map(Object.entries(schemas)).get(nameOf(schema.$ref)) ?? {};
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** Deeper fields are in the document that the server answers. */
const maxDepth = 4;

/** Rows of the fields of a schema, with those within them under dotted names; items of a list end in `[]`. */
function fieldRows(schema: Schema, prefix: string, depth = 0): string[][] {
  if (depth >= maxDepth) return [];
  const rows: string[][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    rows.push([code(path), valueText(field, isRequired), cell(field.description ?? '')]);
    rows.push(...innerRows(field, path, depth + 1));
  }
  if (prefix === '') for (const one of variantsOf(schema)) rows.push(...variantRows(one, prefix, depth));
  return distinct(rows);
}

function innerRows(field: Schema, path: string, depth: number): string[][] {
  const rows: string[][] = [];
  for (const { items, additionalProperties, ...one } of [field, ...variantsOf(field)]) {
    rows.push(...variantRows(one, `${path}.`, depth));
    if (typeof items === 'object') rows.push(...fieldRows(items, `${path}[].`, depth));
    if (typeof additionalProperties === 'object')
      rows.push(...fieldRows(additionalProperties, `${path}.*.`, depth));
  }
  return rows;
}

/** Rows of an object; one of several has its description at the field that tells them apart. */
function variantRows(schema: Schema, prefix: string, depth: number): string[][] {
  const [first, ...others] = Object.entries(schema.properties ?? {});
  if (schema.description === undefined || first?.[1].const === undefined)
    return fieldRows(schema, prefix, depth);
  const [name, field] = first;
  const described = { ...field, description: field.description ?? schema.description };
  const properties = Object.fromEntries([[name, described], ...others]);
  return fieldRows({ ...schema, properties }, prefix, depth);
}

/** Fields that several kinds of an object have stand once. */
function distinct(rows: readonly string[][]): string[][] {
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()];
}

function variantsOf({ oneOf = [], anyOf = [] }: Schema): readonly Schema[] {
  return [...oneOf, ...anyOf];
}

/** A body that may be absent. */
function withoutNull(schema: Schema | undefined): Schema | undefined {
  const others = schema?.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 ? others[0] : schema;
}

/** Type, limits and default of a value. */
function valueText(schema: Schema, isRequired: boolean): string {
  const { default: value } = schema;
  const absent =
    value === undefined ? (isRequired ? '' : 'optional') : `default ${code(JSON.stringify(value))}`;
  return [typeText(schema), cell(limitsText(schema)), absent].filter(Boolean).join('; ');
}

function typeText(schema: Schema): string {
  const { $ref, enum: values, const: value, type, items, anyOf, oneOf } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](${schemasPath}#${slug(nameOf($ref))})`;
  if (value !== undefined) return code(JSON.stringify(value));
  if (values !== undefined) return values.map((one) => code(JSON.stringify(one))).join(', ');
  const union = anyOf ?? oneOf;
  if (union !== undefined) return [...new Set(union.map(typeText))].join(' or ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeText).join(', ')}]`.replace('](', '] (');
  if (type === 'array') return `list of ${typeof items === 'object' ? typeText(items) : 'any'}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `object of ${typeText(schema.additionalProperties)}`;
  return [type ?? 'any'].flat().join(' or ');
}

/** Schemas that fields of others refer to: those of whole requests and answers stand with their calls. */
function schemasText(schemas: Schemas): string {
  const references = JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const linked = new Set(Array.from(references, ([, name]) => name));
  const sections = Object.entries(schemas)
    .filter(([name]) => linked.has(name))
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .flatMap(([name, schema]) => [`## ${name}`, schemaText(schema, schemas)]);
  return ['# API: shared schemas', 'Objects that calls take and answer.', ...sections].join('\n\n');
}
