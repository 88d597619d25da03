import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { Failure } from './failure.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface PasswordField<Name extends string> {
  name: Name;
  label: string;
  autoComplete: 'current-password' | 'new-password';
}

interface PasswordFormProps<Name extends string> {
  fields: readonly PasswordField<Name>[];
  /** What is wrong, by field; empty when nothing is. */
  check: (values: Record<Name, string>) => Partial<Record<Name, string>>;
  onSubmit: (values: Record<Name, string>) => void;
  busy: boolean;
  error?: string | undefined;
  buttonClassName?: string;
}

/** Passwords, each in a field. Problems are shown beside their fields on submit, and the first gets the focus. */
export function PasswordForm<Name extends string>({
  fields,
  check,
  onSubmit,
  busy,
  error,
  buttonClassName,
}: PasswordFormProps<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<Name, string>,
  );
  const [problems, setProblems] = useState<Partial<Record<Name, string>>>({});
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const found = check(values);
        setProblems(found);
        // name-dictionary: names of the fields of the form
        const first = fields.find(({ name }) => found[name] !== undefined);
        if (first === undefined) onSubmit(values);
        else form.current?.querySelector<HTMLInputElement>(`input[name="${first.name}"]`)?.focus();
      }}
    >
      {fields.map(({ name, label, autoComplete }) => (
        // name-dictionary: the same
        <Field key={name} label={label} error={problems[name]}>
          {(control) => (
            <Input
              {...control}
              name={name}
              type="password"
              required
              autoComplete={autoComplete}
              // name-dictionary: the same
              value={values[name]}
              onChange={(event) => {
                setValues({ ...values, [name]: event.target.value });
                setProblems({ ...problems, [name]: undefined });
              }}
            />
          )}
        </Field>
      ))}
      {error !== undefined && <Failure>{error}</Failure>}
      <SubmitButton
        busy={busy}
        label="Update Password"
        busyLabel="Updating..."
        {...(buttonClassName !== undefined && { className: buttonClassName })}
      />
    </form>
  );
}
