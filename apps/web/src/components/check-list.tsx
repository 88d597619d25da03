import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Input, Label } from './ui/form.tsx';
import { formatCount, pluralWord } from '@/lib/format.ts';

interface CheckListItem {
  value: string;
  label: string;
  detail?: string | undefined;
  title?: string;
  /** Number of cells; absent if unknown. */
  count?: number | undefined;
}

interface CheckListProps {
  legend: string;
  items: readonly CheckListItem[];
  checked: readonly string[];
  onChange: (checked: string[]) => void;
  children?: ReactNode;
}

const searchFrom = 13;

/** Rows shown at a time: thousands of checkboxes would slow down every click. */
const maxRows = 200;

export function CheckList({ legend, items, checked, onChange, children }: CheckListProps) {
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  const shown =
    text === ''
      ? items
      : items.filter(({ label, title = '' }) => `${label}\n${title}`.toLowerCase().includes(text));
  const chosen = new Set(checked);
  // In the order of the list, whatever the order of the clicks: the same choice is the same request.
  const set = (next: ReadonlySet<string>) =>
    onChange(items.flatMap(({ value }) => (next.has(value) ? [value] : [])));
  const toggle = (value: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(value);
    else next.delete(value);
    set(next);
  };
  const allShown = shown.length > 0 && shown.every(({ value }) => chosen.has(value));

  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 flex w-full items-baseline gap-2 text-[13px] font-medium">
        <span className="min-w-0 flex-1 wrap-anywhere">{legend}</span>
      </legend>
      {items.length >= searchFrom && (
        <Input
          type="search"
          className="h-8 text-[13px]"
          aria-label={`Find in ${legend}`}
          placeholder="Find"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <ul className="-mx-1 flex max-h-60 flex-col overflow-y-auto">
        {shown.slice(0, maxRows).map((item) => (
          <CheckItem
            key={item.value}
            {...item}
            checked={chosen.has(item.value)}
            onChange={(on) => toggle(item.value, on)}
          />
        ))}
        {shown.length === 0 && <li className="text-muted px-1 text-[13px]">Nothing matches.</li>}
      </ul>
      {shown.length > maxRows && (
        <p className="text-muted text-xs tabular-nums">
          The first {maxRows} of {formatCount(shown.length)} are shown; search for others by name.
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-xs tabular-nums">
          {formatCount(checked.length)} of {formatCount(items.length)} selected
        </p>
        {shown.length > 1 && (
          <Button
            variant="link"
            size="inline"
            className="text-xs"
            onClick={() => {
              const next = new Set(chosen);
              for (const { value } of shown) {
                if (allShown) next.delete(value);
                else next.add(value);
              }
              set(next);
            }}
          >
            {allShown ? 'Select none' : 'Select all'}
          </Button>
        )}
      </div>
      {children}
    </fieldset>
  );
}

interface CheckItemProps extends CheckListItem {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function CheckItem({ label, detail, title = label, count, checked, onChange }: CheckItemProps) {
  const id = useId();
  return (
    <li className="hover:bg-surface-2 flex min-h-6 shrink-0 items-center gap-2 rounded px-1 py-0.5 text-[13px]">
      <Checkbox id={id} checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id} className="flex min-w-0 flex-1 cursor-pointer items-baseline justify-between gap-2">
        <span className="min-w-0 truncate" title={title}>
          {label === '' ? '(no name)' : label}
          {detail !== undefined && (
            <span className="text-muted block truncate text-xs">
              <span className="sr-only">, </span>
              {detail}
            </span>
          )}
        </span>
        {count !== undefined && (
          <span className="text-muted shrink-0 text-xs tabular-nums">
            <span className="sr-only">, </span>
            {formatCount(count)}
            <span className="sr-only"> {pluralWord(count, 'cell')}</span>
          </span>
        )}
      </label>
    </li>
  );
}

interface CheckOptionProps {
  checked: boolean;
  onChange?: (checked: boolean) => void;
  children: string;
}

export function CheckOption({ checked, onChange, children }: CheckOptionProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-[13px]">
      <Checkbox
        id={id}
        checked={checked}
        disabled={onChange === undefined}
        onCheckedChange={(next) => onChange?.(next === true)}
      />
      <label htmlFor={id} className={onChange === undefined ? 'text-muted' : undefined}>
        {children}
      </label>
    </div>
  );
}

interface CheckSentenceProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** An option that takes a sentence or two to explain. */
export function CheckSentence({ checked, onChange, children }: CheckSentenceProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Checkbox id={id} checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <Label htmlFor={id} className="text-xs font-normal">
        {children}
      </Label>
    </div>
  );
}
