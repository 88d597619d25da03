import type { FigureFormat, GeneSummaryFormat } from '@cellfolio/contract';
import { ChevronDown, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { figureEndings, sizesOfSpec, useFigureDownloads } from '@/features/images/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

const notDownloaded = 'summary-not-downloaded';

export function SummaryDownload({ gene }: { gene: string }) {
  const { api } = useServices();
  const { itemsOf, dialog } = useFigureDownloads();
  const { save, saving } = useSaveSummary(gene);
  const [open, setOpen] = useState(false);
  const figure = {
    title: gene,
    sizesOf: (layout: object, signal: AbortSignal) =>
      api({
        path: pathOf(gene, 'json', layout),
        answer: { parse: (spec) => sizesOfSpec.parse(spec).files },
        signal,
      }),
    onSave: (format: FigureFormat, layout?: object) => void save(format, layout),
  };
  return (
    <>
      {/* The trigger keeps the focus while a file is prepared, and opens nothing. */}
      <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && !saving)}>
        <DropdownMenuTrigger asChild>
          <Button variant="secondary" size="sm" aria-disabled={saving} className="min-w-32">
            {saving ? <Spinner /> : <Download aria-hidden />}
            {saving ? 'Preparing...' : 'Download'}
            {!saving && <ChevronDown aria-hidden />}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="min-w-56">
          {itemsOf(figure)}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => void save('csv')}>
            <span>
              CSV
              <span className="text-muted block text-xs">All its numbers: share, mean and n</span>
            </span>
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog}
    </>
  );
}

function pathOf(gene: string, format: GeneSummaryFormat, layout: object = {}): string {
  return `/api/gene-summary-file?${new URLSearchParams({ gene, format, ...layout })}`;
}

function useSaveSummary(gene: string) {
  const { api } = useServices();
  const [saving, setSaving] = useState(false);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);
  const save = async (format: FigureFormat | 'csv', layout?: object) => {
    const { signal } = (left.current = new AbortController());
    setSaving(true);
    try {
      const file = await api({
        path: pathOf(gene, format, layout),
        answer: anyFile,
        expects: 'file',
        signal,
      });
      const ending = format === 'csv' ? '.csv' : figureEndings[format];
      const name = `${fileNamePart(gene) || 'gene'}_by_dataset${ending}`;
      saveFile(file, name);
      toast.dismiss(notDownloaded);
      toast.success('Download started', { description: name });
    } catch (error) {
      if (isCancelled(error)) return;
      console.warn('A gene in all datasets was not downloaded.', error);
      toast.error('Error', {
        id: notDownloaded,
        description: 'Failed to download the file. Please try again.',
      });
    } finally {
      setSaving(false);
    }
  };
  return { save, saving };
}
