import type { ReactNode } from 'react';
import { useId } from 'react';
import { type Choice, manyChoices, SearchedChoice } from '@/components/searched-choice.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';

interface ChoiceFieldProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  about?: ReactNode;
  warning?: string | undefined;
}

export function ChoiceField(props: ChoiceFieldProps) {
  const { label, choices, value, onChange, placeholder, about, warning } = props;
  const id = useId();
  const text = warning ?? about;
  const describedBy = text === undefined ? undefined : `${id}-about`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {choices.length > manyChoices ? (
        <SearchedChoice {...{ id, label, choices, value, onChange, placeholder, describedBy }} />
      ) : (
        <Select value={value} onValueChange={onChange} disabled={choices.length === 0}>
          <SelectTrigger id={id} aria-describedby={describedBy}>
            <SelectValue placeholder={placeholder} />
          </SelectTrigger>
          <SelectContent>
            {choices.map((choice) => (
              <SelectItem key={choice.value} value={choice.value} disabled={choice.disabled === true}>
                {choice.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
      {text !== undefined && (
        <p
          id={`${id}-about`}
          className={`${warning === undefined ? 'text-muted' : 'text-warning'} text-xs wrap-anywhere`}
        >
          {text}
        </p>
      )}
    </div>
  );
}
