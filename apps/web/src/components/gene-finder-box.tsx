import { Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { cn } from '@/lib/cn.ts';
import { Button } from './ui/button.tsx';
import { Input } from './ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover.tsx';

export function geneFinderAddress(gene: string): string {
  return `/genes?${new URLSearchParams({ gene })}`;
}

interface GeneFinderBoxProps {
  gene?: string;
  label: string;
  newTab?: boolean;
  onOpen?: () => void;
  className?: string;
}

export function GeneFinderBox({ gene = '', label, newTab = false, onOpen, className }: GeneFinderBoxProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(gene);
  const name = newTab ? `${label}, in a new tab` : label;
  return (
    <form
      role="search"
      aria-label={name}
      className={cn('relative', className)}
      onSubmit={(event) => {
        event.preventDefault();
        const query = text.trim();
        if (query === '') return;
        const address = geneFinderAddress(query);
        // The tab gets a session of its own: without `noopener` it would have this one, and change its subset.
        if (newTab) window.open(address, '_blank', 'noopener');
        else void navigate(address);
        onOpen?.();
      }}
    >
      <Search aria-hidden className="text-muted pointer-events-none absolute top-2.5 left-2.5 size-4" />
      <Input
        aria-label={name}
        title={newTab ? 'Opens in a new tab' : undefined}
        placeholder="Gene in all datasets"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className="pl-8"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}

/** Shows the search box in a wide header, otherwise a button that opens it. */
export function HeaderGeneFinder({ newTab = false }: Pick<GeneFinderBoxProps, 'newTab'>) {
  const [open, setOpen] = useState(false);
  const label = 'Gene in all datasets';
  return (
    <>
      <GeneFinderBox label={label} newTab={newTab} className="w-48 shrink-0 max-xl:hidden" />
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} title={label} className="xl:hidden">
            <Search aria-hidden />
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label={label} align="end" className="p-2">
          <GeneFinderBox label={label} newTab={newTab} onOpen={() => setOpen(false)} />
        </PopoverContent>
      </Popover>
    </>
  );
}
