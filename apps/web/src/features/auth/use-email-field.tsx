import { useRef, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { checkEmail } from './credentials.ts';

/** An email address in a form; `onEdit` hears of every change. */
export function useEmailField(initialEmail: string, onEdit?: () => void) {
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(initialEmail);
  const [problem, setProblem] = useState<string>();
  return {
    /** The address, or undefined where it is none: then the field says why and has the focus. */
    checked(): string | undefined {
      const found = checkEmail(email, input.current?.validity.typeMismatch !== true);
      setProblem(found);
      if (found === undefined) return email.trim();
      input.current?.focus();
      return undefined;
    },
    field: (
      <Field label="Email" error={problem}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            type="email"
            required
            autoComplete="email"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setProblem(undefined);
              onEdit?.();
            }}
          />
        )}
      </Field>
    ),
  };
}
