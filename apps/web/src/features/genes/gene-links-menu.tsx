import { geneNamesAnswer } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices } from '@/lib/services.ts';
import type { GeneIndex } from './gene-index.ts';
import { geneLinks } from './gene-links.ts';

interface GeneLinksMenuProps {
  gene: string;
  dataset: NonNullable<GeneIndex['dataset']>;
}

/** Links to other sites about a gene, each in a new tab. The id and the species are requested when the menu opens. */
export function GeneLinksMenu({ gene, dataset }: GeneLinksMenuProps) {
  const [open, setOpen] = useState(false);
  return (
    <DropdownMenu modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          className="size-6 align-middle"
          aria-label={`${gene} on other sites`}
        >
          <ExternalLink aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      {open && (
        <DropdownMenuContent>
          <DropdownMenuLabel>{gene} on other sites</DropdownMenuLabel>
          <GeneLinkItems gene={gene} dataset={dataset} />
        </DropdownMenuContent>
      )}
    </DropdownMenu>
  );
}

function GeneLinkItems({ gene, dataset }: GeneLinksMenuProps) {
  const { api } = useServices();
  const lookup = useQuery(lookedUpQuery(api, gene, dataset));
  if (lookup.isPending) {
    return (
      <p role="status" className="text-muted flex items-center gap-2 px-2 py-1.5 text-sm">
        <Spinner /> Looking up the gene...
      </p>
    );
  }
  // Where it cannot be looked up its symbol still finds it.
  const geneInfo = lookup.data ?? { symbol: gene, id: undefined, species: null };
  return geneLinks(geneInfo).map(({ label, url }) => (
    <DropdownMenuItem key={label} asChild>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
    </DropdownMenuItem>
  ));
}

function lookedUpQuery(api: ApiClient, gene: string, { filename, version }: GeneLinksMenuProps['dataset']) {
  return queryOptions({
    queryKey: ['gene-links', filename, version, gene],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const path = `/api/datasets/${encodeURIComponent(filename)}/gene-names`;
      const { genes, species } = await api({
        path,
        body: { names: [gene] },
        answer: geneNamesAnswer,
        signal,
      });
      return { symbol: gene, id: genes[0]?.id, species };
    },
  });
}
