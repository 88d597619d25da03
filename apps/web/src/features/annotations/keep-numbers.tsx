import type { FigureSource } from '@cellfolio/contract';
import { Columns3 } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useAnnotationAction } from './annotation-calls.ts';

interface KeepNumbersProps {
  /** Of a map whose cells have a number each. */
  source: FigureSource;
  suggestion: string;
}

/** Keeps the numbers that a map colours its cells by as a column of one's own. */
export function KeepNumbers({ source, suggestion }: KeepNumbersProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const action = useAnnotationAction(source.dataset_filename);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const column = name.trim() || suggestion;
    action.mutate(
      { do: 'keep-numbers', name: column, source },
      {
        onSuccess: () => {
          toast.success('Column Added', {
            description: `Colour maps by “${column}”, group cells by it, or take it as the axis of an analysis.`,
          });
          setOpen(false);
          setName('');
        },
      },
    );
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm">
          <Columns3 aria-hidden />
          Add as a column
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end">
        <form className="flex flex-col gap-2" onSubmit={submit}>
          <Label htmlFor={id} className="text-[13px]">
            Name of the column
          </Label>
          <Input
            id={id}
            maxLength={100}
            placeholder={suggestion}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <p className="text-muted text-xs">
            Its numbers stay as they are now, for this version of the dataset. Only you see it.
          </p>
          <Button type="submit" size="sm" disabled={action.isPending}>
            {action.isPending ? 'Adding...' : 'Add'}
          </Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
