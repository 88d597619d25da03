import { samplesChoice, samplesDone } from '@cellfolio/contract';
import type { SamplesChoice } from '@cellfolio/contract';
import { useState } from 'react';
import { Field, Input } from '@/components/ui/form.tsx';
import { type Doublets, DoubletScores } from '../reports/doublet-scores.tsx';
import { IntegrationField } from './integration-field.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { pluralWord } from '@/lib/format.ts';

interface SamplesSettingsProps {
  choices: SamplesChoice;
  batchColumns: readonly string[];
  /** In a combined file, variable genes are chosen within each batch, integrated or not. */
  isCombined?: boolean;
  recordedDoublets?: Doublets | undefined;
  onChange: (choices: SamplesChoice) => void;
}

export function SamplesSettings({
  choices,
  batchColumns,
  isCombined = true,
  recordedDoublets,
  onChange,
}: SamplesSettingsProps) {
  const { doublets, doubletThreshold, integrate, batchColumn, resolutions } = samplesDone(choices);
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <Choice
        label="Doublets"
        hint="Detected by Scrublet within each sample."
        value={doublets}
        options={[
          ['remove', 'Remove them'],
          ['mark', 'Mark them, keep all'],
          ['keep', 'Do not detect them'],
        ]}
        onChange={(chosen) => onChange({ ...choices, doublets: chosen })}
      />
      {doublets !== 'keep' && (
        <ThresholdField
          threshold={doubletThreshold}
          onChange={(chosen) => {
            const { doubletThreshold: _, ...others } = choices;
            onChange(chosen === undefined ? others : { ...others, doubletThreshold: chosen });
          }}
        />
      )}
      {doublets !== 'keep' && recordedDoublets !== undefined && (
        <div className="sm:col-span-2">
          <DoubletScores
            doublets={recordedDoublets}
            // The one of the build before says nothing about those that would be found.
            tried={doubletThreshold ?? (recordedDoublets.threshold === undefined ? undefined : null)}
          />
        </div>
      )}
      {batchColumns.length > 0 && (
        <>
          <IntegrationField
            value={integrate}
            hint="Removes differences between batches from the map and the clusters; counts do not change."
            onChange={(chosen) => onChange({ ...choices, integrate: chosen })}
          />
          {(isCombined || integrate !== 'none') && (
            <Choice
              label="Batches"
              hint="Variable genes are chosen within each batch, and integration mixes them."
              value={batchColumn}
              options={[...new Set([...batchColumns, batchColumn])].map((name) => [name, name])}
              onChange={(chosen) => onChange({ ...choices, batchColumn: chosen })}
            />
          )}
        </>
      )}
      <ResolutionsField
        resolutions={resolutions}
        onChange={(chosen) => onChange({ ...choices, resolutions: chosen })}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

export function Choice<T extends string>({ label, hint, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Select value={value} onValueChange={(chosen) => onChange(chosen as T)}>
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {options.map(([option, title]) => (
              <SelectItem key={option} value={option} className="wrap-anywhere">
                {title}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

interface ThresholdFieldProps {
  threshold: number | undefined;
  onChange: (threshold: number | undefined) => void;
}

/** Empty: detected in each sample. An invalid score shows an error and prevents submission (`focusError`). */
function ThresholdField({ threshold, onChange }: ThresholdFieldProps) {
  const currentText = threshold === undefined ? '' : String(threshold);
  const [typed, setTyped] = useState(currentText);
  const parsed = readThreshold(typed);
  // Changes may have been undone.
  const shown = parsed === null || parsed === threshold ? typed : currentText;
  return (
    <Field
      label="Doublet threshold"
      optional
      hint="Cells of every sample with a higher doublet score are called doublets. Empty: detected in each sample, between the two modes of simulated doublets."
      error={parsed === null ? 'Enter a number from 0 to 1, or leave it empty.' : undefined}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          placeholder="Automatic"
          autoComplete="off"
          className="h-8 text-[13px] tabular-nums"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            const next = readThreshold(target.value);
            if (next !== null) onChange(next);
          }}
        />
      )}
    </Field>
  );
}

/** Undefined if empty, `null` if not a valid score. */
function readThreshold(text: string): number | undefined | null {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return undefined;
  return samplesChoice.shape.doubletThreshold.safeParse(Number(typed)).data ?? null;
}

interface ResolutionsFieldProps {
  resolutions: readonly number[];
  onChange: (resolutions: number[]) => void;
}

export function ResolutionsField({ resolutions, onChange }: ResolutionsFieldProps) {
  const currentText = resolutions.join(', ');
  const [typed, setTyped] = useState(currentText);
  const parsed = readResolutions(typed);
  // Changes may have been undone.
  const shown = parsed === null || parsed.join(', ') === currentText ? typed : currentText;
  return (
    <Field
      label="Further resolutions"
      optional
      hint={
        parsed === null || parsed.length === 0
          ? 'More clusterings, each saved as a column.'
          : `More clusterings, saved as ${pluralWord(parsed.length, 'column')} ${parsed.map((one) => `leiden_${one}`).join(', ')}.`
      }
      error={parsed === null ? 'Enter up to 8 numbers from 0.01 to 20, separated by commas.' : undefined}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className="h-8 text-[13px]"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            const next = readResolutions(target.value);
            if (next !== null) onChange(next);
          }}
        />
      )}
    </Field>
  );
}

export function readResolutions(text: string): number[] | null {
  const parts = text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(Number);
  return parts.length <= 8 && parts.every((one) => one >= 0.01 && one <= 20) ? [...new Set(parts)] : null;
}
