import { Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { cn } from '@/lib/cn.ts';
import { Input } from './ui/form.tsx';

/** Address of the page that shows a gene in all datasets; without a gene, of its empty search. */
export function geneFinderAddress(gene: string): string {
  return gene === '' ? '/genes' : `/genes?${new URLSearchParams({ gene })}`;
}

interface GeneFinderBoxProps {
  /** Of the first display. */
  gene?: string;
  label: string;
  className?: string;
}

/** Enter opens the page of the gene. */
export function GeneFinderBox({ gene = '', label, className }: GeneFinderBoxProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(gene);
  return (
    <form
      role="search"
      aria-label={label}
      className={cn('relative', className)}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void navigate(geneFinderAddress(text.trim()));
      }}
    >
      <Search aria-hidden className="text-muted pointer-events-none absolute top-2.5 left-2.5 size-4" />
      <Input
        aria-label={label}
        placeholder="Find a gene"
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
