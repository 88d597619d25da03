import { useId } from 'react';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';

interface ChoiceLineProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Empty for none. */
  chosen: Value | '';
  placeholder?: string;
  onChoose: (value: Value) => void;
}

export function ChoiceLine<Value extends string>({
  label,
  options,
  chosen,
  placeholder,
  onChoose,
}: ChoiceLineProps<Value>) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-3">
      <label htmlFor={id} className="shrink-0 text-[13px] font-medium">
        {label}
      </label>
      <Select value={chosen} onValueChange={(value) => onChoose(value as Value)}>
        <SelectTrigger id={id} data-size="sm" className="w-48">
          <SelectValue placeholder={placeholder} />
        </SelectTrigger>
        <SelectContent>
          {options.map(({ value, label: text }) => (
            <SelectItem key={value} value={value}>
              {text}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
