import { type Declaration, type FieldForm, type FieldNote, formOf, unwrapped } from '@cellfolio/analyses';
import {
  type DatasetAnalysis,
  isOfSums,
  type MapColumnList,
  scanpyCellTest,
  usualCellTest,
} from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { z } from 'zod';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { Label } from '@/components/ui/form.tsx';
import {
  type AnalysisView,
  CellTestFields,
  ChoiceField,
  ComponentsNote,
  ListField,
  listSources,
  NumberField,
  type RunBefore,
  useOfferedLists,
} from '@/features/analyses/index.ts';
import { SamplesField } from '@/features/comparisons/index.ts';
import { ColumnField, columnListQuery, groupsColumn, noColours } from '@/features/map/index.ts';
import { CovariatesField, SidesField } from '@/features/sample-design/index.ts';
import { analysisDocsPath } from '@/lib/docs.ts';
import { useServices } from '@/lib/services.ts';
import { ComparisonField } from './comparison-field.tsx';
import {
  BarcodeField,
  CellStateField,
  CheckedField,
  type ControlProps,
  EmbeddingField,
  GenePickerField,
  GroupField,
  GroupsField,
  NamesField,
  NumbersField,
  TextField,
} from './controls.tsx';
import {
  chosenKind,
  formState,
  type FormState,
  type FormTexts,
  leftOut,
  listFieldOf,
  textBeside,
} from './form-values.ts';
import { GenesField, readGeneList } from './genes-field.tsx';
import { BinnedGroupsField, SomeGroupsField, SplitField, UnassignedField } from './groups-field.tsx';
import { LineField } from './line-field.tsx';
import { RankingField } from './ranking-field.tsx';

interface SchemaFormProps {
  declaration: Declaration;
  groupNotes: AnalysisView['groupNotes'];
  analysis: DatasetAnalysis;
  form: FormTexts;
  runs: readonly RunBefore[];
  onChange: (change: FormTexts) => void;
}

/** The form of an analysis, made of the schema of its request. */
export function SchemaForm(props: SchemaFormProps) {
  const { id, title, about } = props.declaration;
  return (
    <>
      <SchemaFields {...props} />
      <p className="text-muted text-xs">
        {about}{' '}
        <a
          href={analysisDocsPath(id)}
          target="_blank"
          rel="noopener"
          className="text-accent underline underline-offset-2"
        >
          Learn more
          <span className="sr-only"> about {title}</span>
        </a>
      </p>
    </>
  );
}

function SchemaFields({ declaration, ...props }: SchemaFormProps) {
  const { request } = declaration;
  const lists = useOfferedLists(listFieldOf(request)?.source, props.analysis);
  const state = formState(declaration, props.form, props.analysis, lists.data);
  return <FieldSections fields={request} prefix="" state={state} {...props} />;
}

interface FieldSectionsProps extends Omit<SchemaFormProps, 'declaration'> {
  fields: z.ZodObject;
  /** Begins the names of the fields of a variant. */
  prefix: string;
  state: FormState;
}

function FieldSections({ fields, prefix, ...props }: FieldSectionsProps) {
  const { analysis, groupNotes, state } = props;
  const noteOf = new Map(Object.entries(state.notes));
  const sent = new Map(Object.entries(state.request));
  const noteOfGroup = new Map(Object.entries(groupNotes ?? {}));
  return sectionsOf(fields, prefix, state.absent).map(({ group, isFolded, fields: members }) => {
    const controls = members.map(([name, schema]) => (
      <SchemaField
        key={name}
        name={name}
        schema={schema}
        note={noteOf.get(name) ?? {}}
        sent={sent}
        {...props}
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
    if (isFolded) {
      const isChanged = members.some(([name, schema]) => sent.get(name) !== unwrapped(schema).defaultValue);
      return (
        <Collapsible key={group} defaultOpen={isChanged}>
          <CollapsibleTrigger>{group}</CollapsibleTrigger>
          <CollapsibleContent className="flex flex-col gap-3 px-2 py-2">{controls}</CollapsibleContent>
        </Collapsible>
      );
    }
    const GroupNote = noteOfGroup.get(group);
    return (
      <fieldset key={group} className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
        <legend className="px-1 text-[13px] font-medium">{group}</legend>
        {controls}
        {GroupNote && state.isComplete && <GroupNote analysis={analysis} request={state.request} />}
      </fieldset>
    );
  });
}

/** Group of numbers outside a box, which stand two in a row. */
const numbersInRow = '';

interface Section {
  group: string | undefined;
  isFolded: boolean;
  fields: [name: string, schema: z.ZodType][];
}

/** The fields with a control in their order, those of one group together, and numbers that follow each other. */
function sectionsOf({ shape }: z.ZodObject, prefix: string, absent: FormState['absent']): Section[] {
  const sections: Section[] = [];
  for (const [name, schema] of Object.entries(shape as Record<string, z.ZodType>)) {
    const form = formOf(schema);
    if (form === undefined || form.control === 'none' || absent.has(`${prefix}${name}`)) continue;
    const isNumber = unwrapped(schema).inner instanceof z.ZodNumber;
    const group = form.group ?? (isNumber ? numbersInRow : undefined);
    const last = sections.at(-1);
    const field: [string, z.ZodType] = [`${prefix}${name}`, schema];
    if (last && last.group === group) last.fields.push(field);
    else sections.push({ group, isFolded: form.isFolded === true, fields: [field] });
  }
  return sections;
}

/** The value of the choice that leaves a field out: a choice needs a text. */
const absentChoice = 'absent';

interface SchemaFieldProps extends Omit<SchemaFormProps, 'declaration'> {
  name: string;
  schema: z.ZodType;
  note: FieldNote;
  state: FormState;
  /** The request as far as the form has it. */
  sent: ReadonlyMap<string, unknown>;
}

function SchemaField({ schema, ...props }: SchemaFieldProps): ReactNode {
  const { inner, defaultValue } = unwrapped(schema);
  const field = formOf(schema)!;
  const label = field.label ?? schema.meta()?.title ?? props.name;
  const text = new Map(Object.entries(props.form)).get(props.name) ?? '';
  const change = (value: string) => props.onChange({ [props.name]: value });
  if (field.control === 'variants') {
    const { name, note, sent: _, ...rest } = props;
    const { kind, fields } = chosenKind(schema, text);
    return (
      <>
        <ChoiceField
          label={label}
          choices={Object.entries(field.choices ?? {}).map(([value, [title]]) => ({ value, label: title }))}
          value={kind}
          onChange={change}
          about={note.hint ?? new Map(Object.entries(field.choices ?? {})).get(kind)?.[1]}
          warning={note.warning}
        />
        <FieldSections fields={fields} prefix={`${name}.${kind}.`} {...rest} />
        {note.problem !== undefined && <p className="text-danger text-xs">{note.problem}</p>}
      </>
    );
  }
  const isOfGenes = ['genes', 'list', 'comparison', 'ranking'].includes(field.control ?? '');
  if (isOfGenes) return <GeneSourceField {...props} {...{ schema, field, inner, label, text, change }} />;
  if (field.control !== undefined)
    return <DatasetField {...props} {...{ field, inner, label, text, change }} />;
  if (inner instanceof z.ZodNumber) {
    const times = field.isPercent ? 100 : 1;
    const [min, max] = [inner.minValue ?? -Infinity, inner.maxValue ?? Infinity];
    const parameter = { label, defaultValue: String(defaultValue), min: times * min, max: times * max };
    return (
      <NumberField
        parameter={parameter}
        step={field.step ?? 1}
        value={text}
        problem={props.note.problem}
        onChange={change}
      />
    );
  }
  if (inner instanceof z.ZodBoolean && field.choices === undefined)
    return <CheckField label={label} hint={field.hint} checked={text === 'true'} onChange={change} />;
  if (inner instanceof z.ZodEnum || inner instanceof z.ZodBoolean) {
    const choices = new Map([
      ...(field.empty === undefined ? [] : [[absentChoice, [field.empty]] as const]),
      ...Object.entries(field.choices ?? {}),
    ]);
    const [first] = choices.keys();
    const suggested = field.isSuggested && props.sent.get(props.name);
    const value = choices.has(text) ? text : String(suggested ?? defaultValue ?? first);
    return (
      <>
        {field.fromComponents !== undefined && (
          <ComponentsNote analysis={props.analysis} what={field.fromComponents} />
        )}
        <ChoiceField
          label={label}
          choices={Array.from(choices, ([choice, [title]]) => ({ value: choice, label: title }))}
          value={value}
          onChange={(choice) => change(choice === absentChoice ? '' : choice)}
          about={choices.get(value)?.[1] ?? field.hint}
          warning={props.note.problem ?? props.note.warning}
        />
      </>
    );
  }
  throw new TypeError(`The field ${props.name} has no control.`);
}

interface CheckFieldProps {
  label: string;
  hint: string | undefined;
  checked: boolean;
  onChange: (text: string) => void;
}

function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Checkbox
        id={id}
        aria-describedby={`${id}-about`}
        checked={checked}
        onCheckedChange={(next) => onChange(String(next === true))}
      />
      <div className="flex min-w-0 flex-col gap-1">
        <Label htmlFor={id}>{label}</Label>
        <p id={`${id}-about`} className="text-muted text-xs">
          {hint}
        </p>
      </div>
    </div>
  );
}

/** The controls that need what is in `ControlProps` alone; undefined for others. */
function ownControl(props: ControlProps): ReactNode {
  switch (props.field.control) {
    case 'groups':
      return <GroupsField {...props} />;
    case 'group':
      return <GroupField {...props} />;
    case 'binned-groups':
      return <BinnedGroupsField {...props} />;
    case 'split':
      return <SplitField {...props} />;
    case 'check':
      return <CheckedField {...props} />;
    case 'numbers':
      return <NumbersField {...props} />;
    case 'text':
      return <TextField {...props} />;
    case 'names':
      return <NamesField {...props} />;
    case 'gene':
    case 'gene-list':
      return <GenePickerField {...props} />;
    case 'cell-state':
      return <CellStateField {...props} />;
    case 'barcode':
      return <BarcodeField {...props} />;
    case 'embedding':
      return <EmbeddingField {...props} />;
    case 'line':
      return <LineField {...props} />;
    default:
      return undefined;
  }
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
  const { field, label, name, text, change, analysis, form, sent, onChange } = props;
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const list = useQuery(columnListQuery(api, dataset)).data;
  const columns = list?.obs ?? [];
  const texts = new Map(Object.entries(form));
  const [also = ''] = field.also ?? [];
  const [first, second] = [text, texts.get(also) ?? ''];
  const changeBoth = (a: string | undefined, b: string | undefined) =>
    onChange({ ...(a !== undefined && { [name]: a }), ...(b !== undefined && { [also]: b }) });
  const types = analysis.cell_types.length > 0;
  const of = field.of === undefined ? '' : textBeside(texts, name, field.of);
  const own = ownControl({ ...props, list, texts, of });
  if (own !== undefined) return own;
  switch (field.control) {
    case 'sides':
      return (
        <SidesField
          dataset={dataset}
          conditions={conditionsOf(analysis)}
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
    case 'some-groups':
      return (
        <SomeGroupsField
          analysis={analysis}
          form={{ groupBy: text || String(sent.get(name) ?? ''), groups: second }}
          onChange={({ groupBy, groups }) => changeBoth(groupBy, groups)}
        />
      );
    case 'samples':
      return (
        <SamplesField
          analysis={analysis}
          columns={columns}
          samples={text}
          areReplicates={isOfSums(sent.get('method') as Parameters<typeof isOfSums>[0])}
          onChange={change}
        />
      );
    case 'cell-test':
      return <CellTestField {...props} />;
    case 'unassigned':
      return (
        <UnassignedField
          analysis={analysis}
          groupBy={of || nameIn(sent, field.of ?? '') || (types ? 'cell_type' : 'leiden')}
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
      return <ColumnChoice {...props} columns={columns} />;
  }
}

function conditionsOf({ columns, patient_metadata: values }: DatasetAnalysis) {
  const valuesOf = new Map(Object.entries(values));
  return columns.patient_metadata.map(({ field, column }) => ({ column, values: valuesOf.get(field) ?? [] }));
}

function ColumnChoice({
  field,
  label,
  name,
  note,
  text,
  sent,
  columns,
  change,
}: DatasetFieldProps & { columns: MapColumnList['obs'] }) {
  const { problem, warning, hint = field.hint, empty = field.empty } = note;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label={label}
        columns={columns}
        {...(field.takesNumbers && { problemOf: noColours })}
        chosen={field.isSuggested ? nameIn(sent, name) : text}
        none={empty ?? 'None'}
        onChoose={(column) => change(column === '' && field.isSuggested ? leftOut : column)}
      />
      {warning !== undefined && <p className="text-warning text-xs">{warning}</p>}
      {(problem ?? hint) !== undefined && (
        <p className={problem === undefined ? 'text-muted text-xs' : 'text-warning text-xs'}>
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}

function CellTestField({ analysis, name, text, form, onChange }: DatasetFieldProps) {
  const isAsScanpy = new Map(Object.entries(form)).get('tie_correct') === 'false';
  return (
    <CellTestFields
      form={{ depth: text, asScanpy: isAsScanpy ? 'yes' : '' }}
      hasCounts={analysis.raw_counts}
      onChange={({ depth, asScanpy }) =>
        onChange({
          ...(depth !== undefined && { [name]: depth }),
          ...(asScanpy !== undefined && cellTestTexts(asScanpy === 'yes')),
        })
      }
    />
  );
}

/** A name in the request; empty for none. */
function nameIn(sent: ReadonlyMap<string, unknown>, field: string): string {
  const name = sent.get(field);
  return typeof name === 'string' ? name : '';
}

/** The texts of the fields beside depth. */
function cellTestTexts(asScanpy: boolean): FormTexts {
  const { tie_correct, pseudocount, sparse_genes } = asScanpy ? scanpyCellTest : usualCellTest;
  return { tie_correct: String(tie_correct), pseudocount: String(pseudocount), sparse_genes };
}

/** A control of genes, a list of the server, a comparison or a ranking. */
function GeneSourceField(props: DatasetFieldProps & Pick<SchemaFieldProps, 'schema'>): ReactNode {
  const { schema, field, label, name, note, text, change, analysis, form, onChange } = props;
  const texts = new Map(Object.entries(form));
  // Fields of the same kind of a variant.
  const [also = '', rankingName = ''] = (field.also ?? []).map((other) => name.replace(/[^.]*$/, other));
  switch (field.control) {
    case 'list':
      return (
        <ListField
          dataset={analysis}
          source={listSources[field.source!]}
          label={label}
          note={note}
          value={text}
          onChange={change}
          own={texts.get(also) ?? ''}
          onOwn={(own) => onChange({ [also]: own })}
        />
      );
    case 'comparison':
      return (
        <ComparisonField
          {...{ label, text }}
          hint={note.hint}
          runs={props.runs}
          onChange={(comparison) => onChange({ [name]: comparison, [also]: '' })}
        />
      );
    case 'ranking':
      return (
        <RankingField
          {...{ label, text }}
          name={texts.get(rankingName) ?? ''}
          onChange={(changed) =>
            onChange({
              ...(changed.text !== undefined && { [name]: changed.text }),
              ...(changed.name !== undefined && { [rankingName]: changed.name }),
            })
          }
        />
      );
    default: {
      const problem = schema.safeParse(readGeneList(text)).error?.issues[0]?.message;
      return <GenesField {...{ label, problem, text }} hint={field.hint} onChange={change} />;
    }
  }
}
