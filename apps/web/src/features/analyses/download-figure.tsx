import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useFigureDownloads } from '@/features/images/index.ts';
import { type FigureToSave, useDownloadable, useSaveResult } from './use-save-result.ts';

export function DownloadFigure(figure: FigureToSave) {
  const { save, preparing } = useSaveResult();
  const downloadable = useDownloadable(save);
  const { itemsOf, dialog } = useFigureDownloads();
  const [open, setOpen] = useState(false);
  return (
    <>
      {/* The trigger keeps the focus while a file is prepared, and opens nothing. */}
      <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && !preparing)}>
        <DropdownMenuTrigger asChild>
          <Button
            variant="secondary"
            size="sm"
            aria-disabled={preparing}
            aria-label={`Download ${figure.title}`}
          >
            {preparing ? <Spinner /> : <Download aria-hidden />}
            <ChevronDown aria-hidden className="size-3.5!" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="min-w-56">{itemsOf(downloadable(figure))}</DropdownMenuContent>
      </DropdownMenu>
      {dialog}
    </>
  );
}
