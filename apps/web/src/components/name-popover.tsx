import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';

interface NamePopoverProps {
  trigger: ReactNode;
  label: string;
  suggestion: string;
  hint?: string;
  children?: ReactNode;
  action: readonly [idle: string, busy: string];
  isBusy: boolean;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
  /** `done` closes it and empties the field. */
  onName: (name: string, done: () => void) => void;
}

export function NamePopover({
  trigger,
  label,
  suggestion,
  hint,
  action,
  isBusy,
  side,
  align = 'end',
  children,
  onName,
}: NamePopoverProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(name.trim() || suggestion, () => {
      setOpen(false);
      setName('');
    });
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent {...(side && { side })} align={align}>
        <form className="flex flex-col gap-2" onSubmit={submit}>
          {children}
          <Label htmlFor={id} className="text-[13px]">
            {label}
          </Label>
          <Input
            id={id}
            maxLength={100}
            placeholder={suggestion}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {hint !== undefined && <p className="text-muted text-xs">{hint}</p>}
          <Button type="submit" size="sm" disabled={isBusy}>
            {action[isBusy ? 1 : 0]}
          </Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
