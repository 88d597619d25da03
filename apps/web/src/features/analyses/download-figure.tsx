import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import { ChevronDown, Download } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { figureEndings, figureFiles, renderFigure } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';
import { useSaveResult } from './result-downloads.tsx';

interface DownloadFigureProps {
  source: FigureSource;
  title: string;
  /** File name without extension. */
  file: string;
}

export function DownloadFigure({ source, title, file }: DownloadFigureProps) {
  const { api } = useServices();
  const { save, preparing } = useSaveResult();
  const saveAs = (format: FigureFormat) =>
    save({
      name: `${file}${figureEndings[format]}`,
      what: title.toLowerCase(),
      file: () => renderFigure(api, source, format),
    });
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" disabled={preparing} aria-label={`Download ${title}`}>
          {preparing ? <Spinner /> : <Download aria-hidden />}
          <ChevronDown aria-hidden className="size-3.5!" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {figureFiles.map(({ format, name, text }) => (
          <DropdownMenuItem key={format} onSelect={() => saveAs(format)}>
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
