import type { FigureFormat } from '@cellfolio/contract';
import { ChevronDown, Download } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { LibraryImage } from './library-image.ts';
import { useSaveImage } from './use-save-image.ts';

const formats: readonly { format: FigureFormat; name: string; text: string }[] = [
  { format: 'png', name: 'PNG', text: 'For the screen and slides' },
  { format: 'png-300dpi', name: 'PNG, 300 dpi', text: 'For print: 183 mm wide' },
  { format: 'svg', name: 'SVG', text: 'For editing: type stays text' },
];

/** The image as a file of the wanted kind; for print and editing it is drawn anew. */
export function DownloadMenu({ image }: { image: LibraryImage }) {
  const { save, saving } = useSaveImage();
  const redrawable = Boolean(image.source);
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" disabled={saving !== null} className="min-w-32">
          {saving === null ? <Download aria-hidden /> : <Spinner />}
          {saving === null ? 'Download' : 'Preparing...'}
          {saving === null && <ChevronDown aria-hidden />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="min-w-56">
        {formats.map(({ format, name, text }) => (
          <DropdownMenuItem
            key={format}
            disabled={format !== 'png' && !redrawable}
            onSelect={() => void save(image, format)}
          >
            <span>
              {name}
              <span className="text-muted block text-xs">
                {format !== 'png' && !redrawable ? 'Not known what it was drawn from' : text}
              </span>
            </span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
