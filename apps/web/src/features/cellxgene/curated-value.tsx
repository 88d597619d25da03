import type { CuratedField } from '@cellfolio/contract';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { TermSearch } from '@/features/annotations/index.ts';

interface CuratedValueProps {
  /** Label of the cells that have the value. */
  label: string;
  field: CuratedField;
  organism: string;
  value: string | null;
  /** Label of the term that the value is. */
  term: string | null;
  onChange: (value: string) => void;
}

/** The control for a value of a curated field: text, one of a few, or a term. */
export function CuratedValue(props: CuratedValueProps) {
  const { label, field, value, onChange } = props;
  const name = `Value of ${label || 'cells without a label'}`;
  if (field.values === 'any') {
    return (
      <Input
        aria-label={name}
        className="h-8 max-w-80 text-[13px]"
        maxLength={500}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  const few = [
    ...Object.entries(field.offered ?? {}).map(([id, title]) => ({ id, title: `${title} (${id})` })),
    ...(field.values ?? []).map((one) => ({ id: one, title: one })),
  ];
  const ontology = field.terms?.(props.organism).find(({ below }) => below !== undefined)?.ontology;
  if (ontology === undefined) {
    return (
      <Select value={few.some(({ id }) => id === value) ? value! : ''} onValueChange={onChange}>
        <SelectTrigger data-size="sm" className="max-w-80" aria-label={name}>
          <SelectValue placeholder="Choose" />
        </SelectTrigger>
        <SelectContent>
          {few.map(({ id, title }) => (
            <SelectItem key={id} value={id}>
              {title}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    );
  }
  return <TermValue {...props} name={name} few={few} ontology={ontology} />;
}

export function shownValue({ value, term }: Pick<CuratedValueProps, 'value' | 'term'>): string {
  return term === null ? (value ?? '') : `${term} (${value})`;
}

function TermValue({
  label,
  name,
  few,
  ontology,
  value,
  term,
  onChange,
}: CuratedValueProps & {
  name: string;
  few: readonly { id: string; title: string }[];
  ontology: Parameters<typeof TermSearch>[0]['ontology'];
}) {
  const [open, setOpen] = useState(false);
  const choose = (next: string) => {
    setOpen(false);
    onChange(next);
  };
  const shown = shownValue({ value, term });
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          size="xs"
          className="h-auto min-h-7 max-w-full justify-start self-start text-left whitespace-normal"
          aria-label={`${name}: ${shown || 'none'}`}
        >
          {shown || 'Choose a term'}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="w-80 p-3" aria-label={name}>
        <TermSearch ontology={ontology} text={term ?? label} onChoose={({ id }) => choose(id)}>
          {few.length > 0 && (
            <div className="flex flex-wrap gap-1">
              {few.map(({ id, title }) => (
                <Button key={id} variant="secondary" size="xs" onClick={() => choose(id)}>
                  {title}
                </Button>
              ))}
            </div>
          )}
        </TermSearch>
      </PopoverContent>
    </Popover>
  );
}
