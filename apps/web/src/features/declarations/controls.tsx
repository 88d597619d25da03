import type { FieldForm, FieldNote } from '@cellfolio/analyses';
import { cellStateNames, type DatasetAnalysis, type MapColumnList } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { CheckSentence } from '@/components/check-list.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ChoiceField } from '@/features/analyses/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { cellQuery, ColumnField, embeddingTitle, noNumbers, PickOnMap } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { defaultGroups, type FormTexts, readNames } from './form-values.ts';
import { useGroupNames } from './group-columns.ts';

/** A control of a field that needs the open dataset. */
export interface ControlProps {
  analysis: DatasetAnalysis;
  /** Undefined while it loads. */
  list: MapColumnList | undefined;
  field: FieldForm;
  note: FieldNote;
  /** The schema of its value. */
  inner: z.ZodType;
  label: string;
  name: string;
  /** The texts of all fields. */
  texts: ReadonlyMap<string, string>;
  /** Text of the field that it is about; empty for none. */
  of: string;
  /** The request as far as the form has it. */
  sent: ReadonlyMap<string, unknown>;
  text: string;
  change(text: string): void;
  onChange(change: FormTexts): void;
}

export function datasetOf({ dataset_filename: filename, version }: DatasetAnalysis) {
  return { filename, version };
}

/** A column of groups, by default that of the cell types or clusters. */
export function GroupsField({ analysis, list, field, label, name, text, onChange }: ControlProps) {
  const beside = name.slice(0, name.lastIndexOf('.') + 1);
  const emptied = (field.empties ?? []).map((other) => [`${beside}${other}`, ''] as const);
  return (
    <ColumnField
      label={label}
      columns={list?.obs ?? []}
      chosen={text || (defaultGroups(analysis) ?? '')}
      none="Choose a column"
      required
      onChoose={(column) => onChange({ ...Object.fromEntries(emptied), [name]: column })}
    />
  );
}

export function NumbersField({ list, label, text, change }: ControlProps) {
  return (
    <ColumnField
      label={label}
      columns={list?.obs ?? []}
      problemOf={noNumbers}
      chosen={text}
      none="Choose a column of numbers"
      required
      onChoose={change}
    />
  );
}

/** The value of the choice of no group. No category has it. */
const noGroup = '\0';

/** A group of the column in another field, or none where the field says what that means. */
export function GroupField({ analysis, field, label, of, sent, text, change }: ControlProps) {
  const column = of || String(sent.get(field.of ?? '') ?? defaultGroups(analysis) ?? '');
  const groups = useGroupNames(analysis, column);
  const choices = groups.map((name) => ({ value: name, label: name }));
  const none = field.empty === undefined ? [] : [{ value: noGroup, label: field.empty }];
  const chosen = groups.includes(text) ? text : '';
  return (
    <ChoiceField
      label={label}
      choices={[...none, ...choices]}
      value={chosen === '' && none.length > 0 ? noGroup : chosen}
      onChange={(group) => change(group === noGroup ? '' : group)}
      placeholder={column === '' ? 'Choose a column first' : 'Choose a group'}
      {...(chosen !== '' && { about: field.hint })}
    />
  );
}

/** A sentence that is checked for the second value of an enum. */
export function CheckedField({ label, inner, text, change }: ControlProps) {
  const [off = '', on = ''] = (inner as z.ZodEnum).options.map(String);
  return (
    <CheckSentence checked={text === on} onChange={(isOn) => change(isOn ? on : off)}>
      {label}
    </CheckSentence>
  );
}

export function TextField({ label, field, inner, text, change }: ControlProps) {
  const { maxLength } = inner as z.ZodString;
  return (
    <Field label={label} optional>
      {(control) => (
        <Input
          {...control}
          value={text}
          maxLength={maxLength ?? undefined}
          autoComplete="off"
          placeholder={field.empty}
          onChange={(event) => change(event.target.value)}
          onBlur={() => change(text.trim())}
        />
      )}
    </Field>
  );
}

/** Names that are typed or pasted. */
export function NamesField({ label, field, note, inner, text, change }: ControlProps) {
  const names = readNames(text);
  return (
    <Field
      label={label}
      optional
      hint={note.hint ?? field.hint}
      error={names.length === 0 ? note.problem : inner.safeParse(names).error?.issues[0]?.message}
    >
      {(control) => (
        <Input {...control} value={text} maxLength={6000} onChange={(event) => change(event.target.value)} />
      )}
    </Field>
  );
}

/** One gene by its name, or a list of genes as JSON, searched among those of the dataset. */
export function GenePickerField({ analysis, label, field, text, change }: ControlProps) {
  const { gene_library: library, dataset_filename: filename, version } = analysis;
  const index = useMemo(() => indexGenes(library, { filename, version }), [library, filename, version]);
  const isOne = field.control === 'gene';
  return (
    <GenePicker
      index={index}
      label={label}
      hint={field.hint}
      chosenLabel={`Selected ${label.toLowerCase()}`}
      genes={isOne ? (text === '' ? [] : [text]) : listed(text)}
      {...(isOne && { max: 1 })}
      showEmpty={false}
      onChange={(genes) => change(isOne ? (genes.at(-1) ?? '') : JSON.stringify(genes))}
    />
  );
}

/** From storage, too. */
function listed(text: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export function CellStateField({ label, text, change }: ControlProps) {
  return (
    <ChoiceField
      label={label}
      choices={cellStateNames.map((name) => ({ value: name, label: name }))}
      value={text}
      onChange={change}
      placeholder="Select a cell state"
    />
  );
}

/** The barcode of a cell, typed or clicked on the map. */
export function BarcodeField({ analysis, label, field, text, change }: ControlProps) {
  const { api } = useServices();
  const client = useQueryClient();
  const dataset = datasetOf(analysis);
  const take = async (place: number) => {
    try {
      const cell = await client.fetchQuery(cellQuery(api, dataset, { place, genes: [], obs: [] }));
      change(cell.barcode);
    } catch (error) {
      console.warn('The barcode of a cell could not be read.', error);
      toast.error('Error', {
        description: 'The cell could not be read. Click it again, or type its barcode.',
      });
    }
  };
  return (
    <>
      <Field label={label}>
        {(control) => (
          <Input {...control} value={text} maxLength={500} onChange={(event) => change(event.target.value)} />
        )}
      </Field>
      <PickOnMap
        filename={dataset.filename}
        label="Click the cell on the map"
        pick={{ of: 'cell', prompt: field.hint ?? '', onPicked: (place) => void take(place) }}
      />
    </>
  );
}

/** An embedding of two dimensions or more; empty for that of the maps. */
export function EmbeddingField({
  label,
  list,
  text,
  change,
}: Pick<ControlProps, 'label' | 'list' | 'text' | 'change'>) {
  const plane = (list?.embeddings ?? []).filter(({ dimensions }) => dimensions >= 2);
  if (list === undefined || plane.length < 2) return null;
  const defaultName = standardEmbedding(list)!;
  return (
    <ChoiceField
      label={label}
      choices={plane.map(({ name }) => ({
        value: name,
        label: embeddingTitle({ name, axes: [0, 1] }, list),
      }))}
      value={text === '' ? defaultName : text}
      onChange={(name) => change(name === defaultName ? '' : name)}
    />
  );
}

export function standardEmbedding(list: MapColumnList | undefined): string | undefined {
  return list?.default_embedding ?? list?.embeddings.find(({ dimensions }) => dimensions >= 2)?.name;
}
