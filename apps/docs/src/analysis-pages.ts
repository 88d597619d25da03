import {
  analysisTasks,
  type Column,
  type Declaration,
  type FieldForm,
  formFields,
  formOf,
  unwrapped,
} from '@cellfolio/analyses';
import { resultNotes } from '@cellfolio/model';
import { z } from 'zod';
import { cautionTemplate } from './caution-texts.ts';
import { cell, code, limitsText, type Schema, table } from './schema-words.ts';

/** The page of an analysis, made from its declaration; `method` is the part that is written by hand. */
export function analysisPage(declaration: Declaration, method: string, callLink: string): string {
  const { title, question, about, task, searchWords, path } = declaration;
  return [
    `# ${title}`,
    question,
    about ?? '',
    [
      `- In the explorer: _Run Analysis_, _${analysisTasks[task]}_, _${title}_.`,
      `- From a script: [${code(`POST ${path}`)}](${callLink}).`,
      searchWords === undefined ? '' : `- Keywords: ${searchWords}.`,
    ]
      .filter(Boolean)
      .join('\n'),
    '## Settings',
    'Fields of the form, with their names in the API.',
    fieldTable(declaration.request),
    '## Result',
    resultText(declaration),
    ...(method === '' ? [] : ['## Method', method]),
    ...cautionSections(declaration),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** A list of all analyses by task. */
export function analysesPage(declarations: readonly Declaration[]): string {
  const sections = Object.entries(analysisTasks).flatMap(([task, title]) => {
    const own = declarations.filter((one) => one.task === task);
    const rows = own.map(({ id, title: name, question }) => [`[${name}](/analyses/${id})`, cell(question)]);
    return own.length === 0 ? [] : [`## ${title}`, table(['analysis', 'question'], rows)];
  });
  return [
    '# Analyses',
    'Each page is made from the declaration that the form, the server and the files of the analysis are made from.',
    ...sections,
  ].join('\n\n');
}

function fieldTable(request: z.ZodObject): string {
  const fields = formFields(request);
  const forms = fields.map(([name, schema]) => ({ name, schema, form: formOf(schema) }));
  const rows = forms.flatMap(({ name, schema, form }) => {
    const label = form?.label ?? schema.meta()?.title ?? '';
    const choices = choiceRows(schema, form);
    // Values that their labels explain stand together.
    const labels = choices.every(([, about]) => about === '')
      ? choices.map(([one = '']) => one.slice(2))
      : [];
    const row = [
      [form?.control === 'none' ? 'API only' : cell(label), code(name)].filter(Boolean).join(' '),
      [cell(meaning(schema, form)), labels.join(', ')].filter(Boolean).join(' '),
      [defaultText(schema, form), limitsText(jsonSchemaOf(schema))].filter(Boolean).join('; '),
    ];
    return labels.length > 0 ? [row] : [row].concat(choices);
  });
  return table(['setting', 'meaning', 'default; limits'], rows);
}

/** Hint of the form and description of the API. */
function meaning(schema: z.ZodType, { hint = '' }: FieldForm = {}): string {
  const description = schema.description ?? unwrapped(schema).inner.description ?? '';
  return description.includes(hint) ? description : [hint, description].filter(Boolean).join(' ');
}

/** A row for each value, with its label, and its hint or the description of that kind of a variant. */
function choiceRows(schema: z.ZodType, { choices = {} }: FieldForm = {}): string[][] {
  const { inner } = unwrapped(schema);
  const kinds = inner instanceof z.ZodDiscriminatedUnion ? (inner.options as z.ZodObject[]) : [];
  return Object.entries(choices).map(([value, [label, hint]]) => {
    const kind = kinds.find((one) => Object.values(one.shape).some((part) => isLiteral(part, value)));
    const texts = new Set([hint, kind?.description].filter((text) => text !== undefined && text !== label));
    return [`· ${cell(label)} ${code(value)}`, cell([...texts].join(' ')), ''];
  });
}

const isLiteral = (schema: unknown, value: string) =>
  schema instanceof z.ZodLiteral && schema.value === value;

function defaultText(schema: z.ZodType, form: FieldForm | undefined): string {
  const { defaultValue } = unwrapped(schema);
  if (defaultValue !== undefined) return code(JSON.stringify(defaultValue));
  if (form?.isSuggested) return 'suggested for the dataset';
  return schema.safeParse(undefined).success ? 'none' : 'required';
}

function jsonSchemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

const kinds: Readonly<Record<Column['kind'], string>> = {
  text: 'text',
  genes: 'genes, separated by `;`',
  share: 'share, 0 to 1',
  'p-value': 'p-value',
  count: 'count',
  number: 'number',
};

function resultText({ rows, table: columns, figure, further = [], cells, file, id }: Declaration): string {
  const figures = [figure.title, ...further.map(({ title }) => title)];
  const columnRows = Object.entries(columns).map(([name, { title, kind, about, ...rest }]) => [
    cell(title),
    code(name),
    kinds[kind],
    cell([about, 'isOptional' in rest ? 'Only of some requests.' : ''].filter(Boolean).join('. ')),
  ]);
  const cellsText =
    cells === undefined ? '' : `A table of the cells has ${code(cells.name)}: ${cells.about}.`;
  return [
    `A table of ${rows.many}, ${rows.order}, as ${code(`${file ?? id}.csv`)}; ${plainList(figures)} as a figure. ${cellsText}`.trim(),
    table(['column', 'in files', 'kind', 'meaning'], columnRows),
  ].join('\n\n');
}

function plainList(titles: readonly string[]): string {
  return [...new Set(titles)].join(', ');
}

/** The cautions that an analysis declares: warnings and facts. */
function cautionSections({ cautions }: Declaration): string[] {
  const texts = Object.entries(cautions as Readonly<Record<string, (...args: never) => string>>);
  // One by one: of several that say the same, notes have the first alone.
  const notes = texts.map(([name, text]) =>
    resultNotes([{ code: name as never, message: cautionTemplate(text) }]),
  );
  const warnings = notes.flatMap((note) => note.warnings);
  const facts = notes.flatMap((note) => note.facts);
  const section = (title: string, about: string, rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : [`## ${title}`, about, table(['code', 'text'], rows)];
  return [
    ...section(
      'Warnings',
      'Limits of a result that would change a decision, with its numbers in the place of the words in italics; what all analyses share is not listed.',
      warnings.map(({ code: name, message }) => [code(name), cell(message)]),
    ),
    ...section(
      'Facts',
      'True of every such result, or how it was made.',
      facts.map(({ code: name, title, message }) => [code(name), cell(`**${title}.** ${message}`)]),
    ),
  ];
}
