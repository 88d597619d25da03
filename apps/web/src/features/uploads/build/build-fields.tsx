import { type ExpressionAnswer, type GenesIn, noCountsReason } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { Field, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { H5adReport } from '../reports/report-text.ts';
import { roleLabels, roles } from './build-form.ts';
import type { BuildForm, Role } from './build-form.ts';
import { limitsOf, settingProblem } from './processing-settings.ts';
import type { Setting, TypedSettings } from './processing-settings.ts';

interface ValuesFieldProps {
  report: H5adReport;
  value: ExpressionAnswer | undefined;
  onChange: (value: ExpressionAnswer | undefined) => void;
}

type ValueScale = NonNullable<H5adReport['scale']>['read'];

const answers = {
  log1p: 'Natural logarithms, ln(1 + x)',
  log2: 'Logarithms to base 2, log2(1 + x)',
  log10: 'Logarithms to base 10, log10(1 + x)',
  linear: 'Normalized, not logarithmic',
  counts: 'Raw counts of the file',
} as const satisfies Record<ExpressionAnswer, string>;

const all = Object.keys(answers) as ExpressionAnswer[];

export const scaleNames: Readonly<Record<ValueScale, string>> = {
  ...answers,
  counts: 'Raw counts',
  scaled: 'Scaled values',
  unknown: 'Not known',
};

const automatic = 'automatic';

export function ValuesField({ report, value, onChange }: ValuesFieldProps) {
  const isRequired = report.waitsFor.includes('expression');
  const detectedScale = report.scale?.read;
  const unused = noCountsReason(report.warnings);
  const possible: readonly ExpressionAnswer[] = (isRequired && report.scale?.open) || all;
  const offered = possible.filter(
    (answer) => answer !== 'counts' || isRequired || report.hasCounts || unused !== '' || value === 'counts',
  );
  const names =
    (isRequired || unused !== '') && !report.hasCounts
      ? { ...answers, counts: 'Counts, also corrected, expected or downsampled' }
      : answers;
  return (
    <Field
      label="What do the values hold?"
      hint={<span className="wrap-anywhere">{report.scale?.why}</span>}
      error={
        isRequired && value === undefined
          ? 'The file does not say, and figures depend on it. Choose what its values are.'
          : undefined
      }
    >
      {(control) => (
        <Select
          value={value ?? (isRequired ? '' : automatic)}
          onValueChange={(chosen) =>
            onChange(chosen === automatic ? undefined : (chosen as ExpressionAnswer))
          }
        >
          <SelectTrigger {...control} data-size="sm" className="sm:max-w-96">
            <SelectValue placeholder="Choose…" />
          </SelectTrigger>
          <SelectContent>
            {!isRequired && (
              <SelectItem value={automatic}>
                Automatic:{' '}
                {detectedScale === undefined ? 'detected during the build' : scaleNames[detectedScale]}
              </SelectItem>
            )}
            {offered.map((answer) => (
              <SelectItem key={answer} value={answer}>
                {names[answer]}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

interface GenesInFieldProps {
  report: H5adReport;
  value: GenesIn | undefined;
  onChange: (value: GenesIn) => void;
}

export function GenesInField({ report, value, onChange }: GenesInFieldProps) {
  const isRequired = report.waitsFor.includes('genesIn');
  return (
    <Field
      label="Where are the genes of the table?"
      error={
        isRequired && value === undefined
          ? 'The names do not tell genes from cells. Choose where the genes are.'
          : undefined
      }
    >
      {(control) => (
        <Select
          value={value ?? (isRequired ? '' : report.genesIn)}
          onValueChange={(chosen) => onChange(chosen as GenesIn)}
        >
          <SelectTrigger {...control} data-size="sm" className="sm:max-w-96">
            <SelectValue placeholder="Choose…" />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value="rows">In rows: each line is a gene</SelectItem>
            <SelectItem value="columns">In columns: each line is a cell</SelectItem>
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

interface ColumnFieldsProps {
  report: H5adReport;
  columns: BuildForm['columns'];
  onChange: (columns: BuildForm['columns']) => void;
}

// A column may have any name, so names are marked as such.
const named = 'column ';

export function ColumnFields({ report, columns, onChange }: ColumnFieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {roles.map((role) => (
        <ColumnField
          key={role}
          role={role}
          detectedRole={report.roles.find((candidate) => candidate.role === role)}
          value={columns[role]}
          onChange={(name) => {
            const { [role]: _, ...others } = columns;
            onChange(name === undefined ? others : { ...others, [role]: name });
          }}
        />
      ))}
    </div>
  );
}

interface ColumnFieldProps {
  role: Role;
  detectedRole: H5adReport['roles'][number] | undefined;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}

function ColumnField({ role, detectedRole, value, onChange }: ColumnFieldProps) {
  // One that was chosen before stays a choice.
  const names = [
    ...new Set([...(detectedRole?.alternatives ?? []), ...(value === undefined ? [] : [value])]),
  ];
  return (
    <Field
      label={roleLabels[role]}
      hint={value === undefined ? sentence(detectedRole?.why ?? '') : 'Chosen by you.'}
    >
      {(control) => (
        <Select
          value={value === undefined ? automatic : named + value}
          onValueChange={(chosen) => onChange(chosen === automatic ? undefined : chosen.slice(named.length))}
          disabled={names.length === 0}
        >
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
            <SelectItem value={automatic}>Automatic: {detectedRole?.chosen ?? 'none'}</SelectItem>
            {names.map((name) => (
              <SelectItem key={name} value={named + name} className="wrap-anywhere">
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

function sentence(words: string): string {
  return words === '' ? '' : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

interface SettingFieldsProps {
  settings: readonly Setting[];
  typed: TypedSettings;
  onChange: (typed: TypedSettings) => void;
  children?: ReactNode;
}

export function SettingFields({ settings, typed, onChange, children }: SettingFieldsProps) {
  return (
    <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {settings.map((setting) => {
        const value = typed[setting.name] ?? '';
        const { min, max, whole } = limitsOf(setting);
        return (
          <Field
            key={setting.name}
            label={setting.label}
            hint={setting.hint}
            error={settingProblem(setting, value)}
          >
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode={whole ? 'numeric' : 'decimal'}
                min={min}
                max={max}
                step={whole ? 1 : 'any'}
                placeholder={setting.default}
                autoComplete="off"
                className="h-8 px-2.5 text-[13px] tabular-nums"
                value={value}
                onChange={({ target }) => onChange({ ...typed, [setting.name]: target.value })}
              />
            )}
          </Field>
        );
      })}
      {children}
    </div>
  );
}
