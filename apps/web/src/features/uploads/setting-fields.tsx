import type { ReactNode } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import type { Setting, TypedSettings } from './processing-settings.ts';
import { limitsOf, settingProblem } from './processing-settings.ts';

interface SettingFieldsProps {
  settings: readonly Setting[];
  typed: TypedSettings;
  onChange: (typed: TypedSettings) => void;
  /** A field among them that is no number. */
  children?: ReactNode;
}

/** Numbers of the processing; an empty box shows its default. */
export function SettingFields({ settings, typed, onChange, children }: SettingFieldsProps) {
  return (
    <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {settings.map((setting) => {
        const value = typed[setting.name] ?? '';
        const { least, greatest, whole } = limitsOf(setting);
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
                min={least}
                max={greatest}
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
