import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';
import { Input } from './form.tsx';

interface ComboboxInputProps extends ComponentProps<'input'> {
  id: string;
  open: boolean;
  /** Index of the option that the keyboard is on; -1 for none. */
  active: number;
}

/** Text field with the options of the `ComboboxList` of the same id; the focus stays in the field. */
export function ComboboxInput({ id, open, active, ...props }: ComboboxInputProps) {
  return (
    <Input
      id={id}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={open}
      aria-controls={open ? `${id}-list` : undefined}
      aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      {...props}
    />
  );
}

interface ComboboxListProps<Option> {
  id: string;
  label: string;
  options: readonly Option[];
  active: number;
  keyOf: (option: Option) => string;
  onChoose: (option: Option) => void;
  className?: string;
  children: (option: Option) => ReactNode;
}

export function ComboboxList<Option>({
  id,
  label,
  options,
  active,
  keyOf,
  onChoose,
  className,
  children,
}: ComboboxListProps<Option>) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} className={className}>
      {options.map((option, at) => (
        // The keyboard reaches the options through the field (aria-activedescendant).
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={keyOf(option)}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // Keeps the focus, and so the keyboard, in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          className={cn(
            'cursor-pointer rounded px-2 py-1 text-[13px]',
            at === active ? 'bg-accent-soft text-accent-soft-foreground' : 'hover:bg-surface-2',
          )}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}
