import {
  type Declaration,
  type FieldForm,
  type FieldNote,
  type FieldNotes,
  formOf,
  unwrapped,
} from '@cellfolio/analyses';
import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { z } from 'zod';
import {
  ChoiceField,
  ComponentsNote,
  ListField,
  listSources,
  NumberField,
  useOfferedLists,
} from '@/features/analyses/index.ts';
import { comparisonMethods, MethodField, SamplesField } from '@/features/comparisons/index.ts';
import { ColumnField, columnListQuery, groupsColumn } from '@/features/map/index.ts';
import { UnassignedField } from '@/features/markers/index.ts';
import { CovariatesField, SidesField } from '@/features/sample-design/index.ts';
import { useServices } from '@/lib/services.ts';
import { chosenKind, formState, type FormTexts, listFieldOf } from './form-values.ts';
import { GenesField, readGeneList } from './genes-field.tsx';
import { ValuesField } from './values-field.tsx';

interface SchemaFormProps {
  declaration: Declaration;
  analysis: DatasetAnalysis;
  form: FormTexts;
  onChange: (change: FormTexts) => void;
}

/** The form of an analysis, made of the schema of its request. */
export function SchemaForm(props: SchemaFormProps) {
  const { about } = props.declaration;
  return (
    <>
      <SchemaFields {...props} />
      {about !== undefined && <p className="text-muted text-xs">{about}</p>}
    </>
  );
}

function SchemaFields({ declaration, ...props }: SchemaFormProps) {
  const { request } = declaration;
  const lists = useOfferedLists(listFieldOf(request)?.source, props.analysis);
  const { notes } = formState(declaration, props.form, props.analysis, lists.data);
  return <FieldSections fields={request} prefix="" notes={notes} {...props} />;
}

interface FieldSectionsProps extends Omit<SchemaFormProps, 'declaration'> {
  fields: z.ZodObject;
  /** Begins the names of the fields of a variant. */
  prefix: string;
  notes: FieldNotes;
}

function FieldSections({ fields, prefix, notes, ...props }: FieldSectionsProps) {
  const noteOf = new Map(Object.entries(notes));
  return sectionsOf(fields, prefix).map(({ group, fields: members }) => {
    const controls = members.map(([name, schema]) => (
      <SchemaField
        key={name}
        name={name}
        schema={schema}
        note={noteOf.get(name) ?? {}}
        {...{ notes, ...props }}
      />
    ));
    if (group === numbersInRow && controls.length > 1) {
      return (
        <div key={members[0]![0]} className="grid grid-cols-2 items-start gap-2">
          {controls}
        </div>
      );
    }
    if (!group) return controls;
    return (
      <fieldset key={group} className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
        <legend className="px-1 text-[13px] font-medium">{group}</legend>
        {controls}
      </fieldset>
    );
  });
}

/** Group of numbers outside a box, which stand two in a row. */
const numbersInRow = '';

/** The fields with a control in their order, those of one group together, and numbers that follow each other. */
function sectionsOf({ shape }: z.ZodObject, prefix: string) {
  const sections: { group: string | undefined; fields: [name: string, schema: z.ZodType][] }[] = [];
  for (const [name, schema] of Object.entries(shape as Record<string, z.ZodType>)) {
    const form = formOf(schema);
    if (form === undefined) continue;
    const isNumber = unwrapped(schema).inner instanceof z.ZodNumber;
    const group = form.group ?? (isNumber ? numbersInRow : undefined);
    const last = sections.at(-1);
    const field: [string, z.ZodType] = [`${prefix}${name}`, schema];
    if (last && last.group === group) last.fields.push(field);
    else sections.push({ group, fields: [field] });
  }
  return sections;
}

/** The value of the choice that leaves a field out: a choice needs a text. */
const absent = 'absent';

interface SchemaFieldProps extends Omit<SchemaFormProps, 'declaration'> {
  name: string;
  schema: z.ZodType;
  note: FieldNote;
  /** Notes on all fields. */
  notes: FieldNotes;
}

function SchemaField({ schema, ...props }: SchemaFieldProps): ReactNode {
  const { inner, defaultValue } = unwrapped(schema);
  const field = formOf(schema)!;
  const label = field.label ?? schema.meta()?.title ?? props.name;
  const text = new Map(Object.entries(props.form)).get(props.name) ?? '';
  const change = (value: string) => props.onChange({ [props.name]: value });
  if (field.control === 'variants') {
    const { name, note, ...rest } = props;
    const { kind, fields } = chosenKind(schema, text);
    return (
      <>
        <ChoiceField
          label={label}
          choices={Object.entries(field.choices ?? {}).map(([value, [title]]) => ({ value, label: title }))}
          value={kind}
          onChange={change}
          about={new Map(Object.entries(field.choices ?? {})).get(kind)?.[1]}
          warning={note.warning}
        />
        <FieldSections fields={fields} prefix={`${name}.`} {...rest} />
      </>
    );
  }
  if (field.control === 'genes') {
    const problem = schema.safeParse(readGeneList(text)).error?.issues[0]?.message;
    return <GenesField {...{ label, problem, text }} hint={field.hint} onChange={change} />;
  }
  if (field.control !== undefined)
    return <DatasetField {...props} {...{ field, inner, label, text, change }} />;
  if (inner instanceof z.ZodNumber) {
    const times = field.isPercent ? 100 : 1;
    const [min, max] = [inner.minValue ?? -Infinity, inner.maxValue ?? Infinity];
    const parameter = { label, defaultValue: String(defaultValue), min: times * min, max: times * max };
    return <NumberField parameter={parameter} step={field.step ?? 1} value={text} onChange={change} />;
  }
  if (inner instanceof z.ZodEnum) {
    const choices = new Map([
      ...(field.empty === undefined ? [] : [[absent, [field.empty]] as const]),
      ...Object.entries(field.choices ?? {}),
    ]);
    const [first] = choices.keys();
    const value = choices.has(text) ? text : String(defaultValue ?? first);
    return (
      <>
        {field.fromComponents !== undefined && (
          <ComponentsNote analysis={props.analysis} what={field.fromComponents} />
        )}
        <ChoiceField
          label={label}
          choices={Array.from(choices, ([choice, [title]]) => ({ value: choice, label: title }))}
          value={value}
          onChange={(choice) => change(choice === absent ? '' : choice)}
          about={choices.get(value)?.[1] ?? field.hint}
        />
      </>
    );
  }
  throw new TypeError(`The field ${props.name} has no control.`);
}

interface DatasetFieldProps extends Omit<SchemaFieldProps, 'schema'> {
  field: FieldForm;
  inner: z.ZodType;
  label: string;
  text: string;
  change: (value: string) => void;
}

/** A control that needs the open dataset. */
function DatasetField(props: DatasetFieldProps): ReactNode {
  const { field, inner, label, name, note, text, change, analysis, form, onChange } = props;
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const texts = new Map(Object.entries(form));
  const [also = ''] = field.also ?? [];
  const [first, second] = [text, texts.get(also) ?? ''];
  const changeBoth = (a: string | undefined, b: string | undefined) =>
    onChange({ ...(a !== undefined && { [name]: a }), ...(b !== undefined && { [also]: b }) });
  const types = analysis.cell_types.length > 0;
  const compared = { method: texts.get('method') ?? '', samples: texts.get('samples') ?? '' };
  switch (field.control) {
    case 'sides':
      return (
        <SidesField
          dataset={dataset}
          form={{ a: first, b: second }}
          onChange={({ a, b }) => changeBoth(a, b)}
        />
      );
    case 'covariates':
      return (
        <CovariatesField
          columns={columns}
          form={{ covariates: first, numericCovariates: second }}
          onChange={({ covariates, numericCovariates }) => changeBoth(covariates, numericCovariates)}
        />
      );
    case 'values':
      return (
        <ValuesField
          analysis={analysis}
          columns={columns}
          label={label}
          hint={note.hint}
          text={text}
          onChange={change}
        />
      );
    case 'list':
      return (
        <ListField
          dataset={analysis}
          source={listSources[field.source!]}
          label={label}
          note={note}
          value={first}
          onChange={change}
          own={second}
          onOwn={(own) => onChange({ [also]: own })}
        />
      );
    case 'samples':
      return <SamplesField analysis={analysis} columns={columns} form={compared} onChange={onChange} />;
    case 'method': {
      const offered: readonly unknown[] = inner instanceof z.ZodEnum ? inner.options : [];
      return (
        <MethodField
          analysis={analysis}
          form={compared}
          onChange={onChange}
          methods={comparisonMethods.filter(({ value }) => offered.includes(value))}
        />
      );
    }
    case 'unassigned':
      return (
        <UnassignedField
          analysis={analysis}
          groupBy={texts.get(field.of ?? '') || (types ? 'cell_type' : 'leiden')}
          unassigned={text}
          onChange={({ unassigned }) => change(unassigned)}
        />
      );
    case 'grouping':
      return (
        <ColumnField
          label={label}
          // The first row of the list stands for the default column.
          columns={columns.filter((column) => column !== groupsColumn(columns))}
          chosen={text === groupsColumn(columns)?.name ? '' : text}
          none={types ? 'Cell types' : 'Clusters'}
          onChoose={change}
        />
      );
    default:
      return <ColumnWithNote {...{ label, columns, text, note, change }} hint={field.hint} />;
  }
}

interface ColumnWithNoteProps extends Pick<DatasetFieldProps, 'label' | 'text' | 'note' | 'change'> {
  columns: ComponentProps<typeof ColumnField>['columns'];
  hint: string | undefined;
}

function ColumnWithNote({ label, columns, text, note, change, hint }: ColumnWithNoteProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label={label}
        columns={columns}
        chosen={text}
        none={note.empty ?? 'None'}
        onChoose={change}
      />
      {note.warning !== undefined && <p className="text-warning text-xs">{note.warning}</p>}
      <p className={note.problem === undefined ? 'text-muted text-xs' : 'text-warning text-xs'}>
        {note.problem ?? note.hint ?? hint}
      </p>
    </div>
  );
}
