import type { GeneSummaryFormat } from '@cellfolio/contract';
import { ChevronDown, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { figureEndings, figureFiles } from '@/features/images/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

const files: readonly { format: GeneSummaryFormat; name: string; text: string }[] = [
  ...figureFiles,
  { format: 'csv', name: 'CSV', text: 'All its numbers: share, mean and n' },
];
const endings: Record<GeneSummaryFormat, string> = { ...figureEndings, csv: '.csv' };

const notDownloaded = 'summary-not-downloaded';

export function SummaryDownload({ gene }: { gene: string }) {
  const { api } = useServices();
  const [saving, setSaving] = useState(false);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);
  const save = async (format: GeneSummaryFormat) => {
    const { signal } = (left.current = new AbortController());
    setSaving(true);
    try {
      const file = await api({
        path: `/api/gene-summary-file?${new URLSearchParams({ gene, format })}`,
        answer: anyFile,
        expects: 'file',
        signal,
      });
      const name = `${fileNamePart(gene) || 'gene'}_by_dataset${endings[format]}`;
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
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" disabled={saving} className="min-w-32">
          {saving ? <Spinner /> : <Download aria-hidden />}
          {saving ? 'Preparing...' : 'Download'}
          {!saving && <ChevronDown aria-hidden />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="min-w-56">
        {files.map(({ format, name, text }) => (
          <DropdownMenuItem key={format} onSelect={() => void save(format)}>
            <span>
              {name}
              <span className="text-muted block text-xs">{text}</span>
            </span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
