import type { GroupTerm as Term } from '@cellfolio/contract';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { TermSearch } from './term-search.tsx';

interface GroupTermProps {
  group: string;
  term: Term | undefined;
  busy: boolean;
  onChoose: (term: Term | null) => void;
}

/** The term of the Cell Ontology that a group is, with a search for another one. */
export function GroupTerm({ group, term, busy, onChoose }: GroupTermProps) {
  const [open, setOpen] = useState(false);
  const choose = (next: Term | null) => {
    setOpen(false);
    if (next?.id !== term?.id) onChoose(next);
  };
  const title = term === undefined ? `Cell Ontology term of ${group}` : `${term.label} (${term.id})`;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          className={cn('size-6 shrink-0', term !== undefined && 'text-accent')}
          aria-label={term === undefined ? title : `Cell Ontology term of ${group}: ${title}`}
          title={title}
          disabled={busy}
        >
          <Tag aria-hidden className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-80 p-3" aria-label={`Cell Ontology term of ${group}`}>
        <TermSearch ontology="CL" text={term?.label ?? group} onChoose={choose}>
          {term !== undefined && (
            <Button variant="secondary" size="sm" className="self-start" onClick={() => choose(null)}>
              Remove the term
            </Button>
          )}
        </TermSearch>
      </PopoverContent>
    </Popover>
  );
}
