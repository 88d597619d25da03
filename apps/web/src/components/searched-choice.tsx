import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';

/** Choices from which on a list is searched: a menu of thousands takes seconds to open and to scroll through. */
export const manyChoices = 200;

export interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SearchedChoiceProps {
  id?: string;
  label: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  describedBy?: string | undefined;
  className?: string;
}

/** One of thousands of choices, found by a part of its name; those that match are listed, the first of them. */
export function SearchedChoice({
  id,
  label,
  choices,
  value,
  onChange,
  placeholder = '',
  describedBy,
  className,
}: SearchedChoiceProps) {
  const [open, setOpen] = useState(false);
  const chosen = choices.find((choice) => choice.value === value)?.label ?? placeholder;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          {...(id !== undefined && { id })}
          variant="secondary"
          aria-label={`${label}: ${chosen}`}
          aria-describedby={describedBy}
          className={cn('min-w-0 justify-between gap-1 px-3 font-normal', className)}
        >
          <MiddleTruncated text={chosen} />
          <ChevronDown aria-hidden className="text-muted size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="flex w-80 flex-col gap-2 p-2" aria-label={label}>
        <Matches
          label={label}
          choices={choices}
          value={value}
          onChoose={(next) => {
            onChange(next);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

interface MatchesProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  onChoose: (value: string) => void;
}

function Matches({ label, choices, value, onChoose }: MatchesProps) {
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  const matches = choices.filter((choice) => choice.label.toLowerCase().includes(text));
  const shown = matches.slice(0, manyChoices);
  return (
    <>
      <Input
        type="search"
        className="h-8 text-[13px]"
        aria-label={`Find: ${label}`}
        placeholder={`Find among ${formatCount(choices.length)}`}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const first = matches.find(({ disabled }) => !disabled);
          if (event.key === 'Enter' && text !== '' && first !== undefined) onChoose(first.value);
        }}
      />
      <ul className="max-h-72 overflow-y-auto" aria-label={label}>
        {shown.map((choice) => (
          <li key={choice.value}>
            <button
              type="button"
              disabled={choice.disabled === true}
              aria-pressed={choice.value === value}
              className="hover:bg-surface-2 disabled:text-muted flex w-full items-center gap-2 rounded px-2 py-1 text-left text-[13px] disabled:cursor-not-allowed"
              onClick={() => onChoose(choice.value)}
            >
              <Check aria-hidden className={cn('size-3.5 shrink-0', choice.value !== value && 'invisible')} />
              <MiddleTruncated text={choice.label} />
            </button>
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p className="text-muted px-2 pb-1 text-xs">No match.</p>}
      {matches.length > shown.length && (
        <p className="text-muted px-2 pb-1 text-xs">
          {formatCount(matches.length - shown.length)} more: type part of the name.
        </p>
      )}
    </>
  );
}
