import { Field } from '@/components/ui/field.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { BuildForm, Role } from './build-form.ts';
import { roleLabels, roles } from './build-form.ts';
import type { H5adReport } from './report-text.ts';

interface ColumnFieldsProps {
  report: H5adReport;
  columns: BuildForm['columns'];
  onChange: (columns: BuildForm['columns']) => void;
}

// A column may have any name, so names are marked as such.
const automatic = 'automatic';
const named = 'column ';

/** Which column of the file plays which part. */
export function ColumnFields({ report, columns, onChange }: ColumnFieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {roles.map((role) => (
        <ColumnField
          key={role}
          role={role}
          found={report.roles.find((candidate) => candidate.role === role)}
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
  found: H5adReport['roles'][number] | undefined;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}

function ColumnField({ role, found, value, onChange }: ColumnFieldProps) {
  // One that was chosen before stays a choice.
  const names = [...new Set([...(found?.alternatives ?? []), ...(value === undefined ? [] : [value])])];
  return (
    <Field
      label={roleLabels[role]}
      hint={value === undefined ? sentence(found?.why ?? '') : 'Chosen by you.'}
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
            <SelectItem value={automatic}>Automatic: {found?.chosen ?? 'none'}</SelectItem>
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
