import { type IntegrationChoice, integrationChoice, integrationWords } from '@cellfolio/contract';
import { Field } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';

interface IntegrationFieldProps {
  value: IntegrationChoice;
  hint: string;
  disabled?: boolean;
  onChange: (value: IntegrationChoice) => void;
}

export function IntegrationField({ value, hint, disabled = false, onChange }: IntegrationFieldProps) {
  return (
    <Field label="Integration" hint={hint}>
      {(control) => (
        <Select
          value={value}
          onValueChange={(chosen) => onChange(chosen as IntegrationChoice)}
          disabled={disabled}
        >
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
            {integrationChoice.options.map((option) => (
              <SelectItem key={option} value={option} note={integrationWords[option].when}>
                {integrationWords[option].name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
