import type { FigureFormat } from '@cellfolio/contract';
import { type ReactNode, useState } from 'react';
import { DropdownMenuItem } from '@/components/ui/dropdown-menu.tsx';
import { FigureFileDialog, type SizesOfFiles } from './figure-file-dialog.tsx';
import type { FigureFile } from './render-figure.ts';

const figureFiles: readonly { format: FigureFormat; name: string; text: string }[] = [
  { format: 'png', name: 'PNG', text: 'For the screen and slides' },
  { format: 'png-300dpi', name: 'PNG, 300 dpi', text: 'Prints at 183 mm or wider' },
  { format: 'svg', name: 'SVG', text: 'For editing: text stays editable' },
  { format: 'pdf', name: 'PDF', text: 'For print: searchable text, embedded fonts' },
];

export const figureEndings: Record<FigureFormat, string> = {
  png: '.png',
  'png-300dpi': '_300dpi.png',
  svg: '.svg',
  pdf: '.pdf',
};

export interface DownloadableFigure {
  title: string;
  /** Sizes of files, as far as they are known before one is chosen. */
  sizes?: Partial<Record<FigureFormat, string>> | undefined;
  /** Sizes of its files in a layout; absent if it cannot be drawn again, so that its PNG is all there is. */
  sizesOf?: SizesOfFiles | undefined;
  onSave: (format: FigureFormat, file?: FigureFile) => void;
}

/**
 * Files of figures: `itemsOf` a figure stand in a download menu, `dialog` beside the menu, which closes before it opens.
 */
export function useFigureDownloads(): {
  itemsOf: (figure: DownloadableFigure) => ReactNode;
  dialog: ReactNode;
} {
  const [chosen, setChosen] = useState<DownloadableFigure | null>(null);
  return {
    itemsOf: (figure) => <FigureItems figure={figure} onChoose={() => setChosen(figure)} />,
    dialog: chosen?.sizesOf !== undefined && (
      <FigureFileDialog
        title={chosen.title}
        sizesOf={chosen.sizesOf}
        onSave={chosen.onSave}
        onClose={() => setChosen(null)}
      />
    ),
  };
}

interface FigureItemsProps {
  figure: DownloadableFigure;
  onChoose: () => void;
}

function FigureItems({ figure: { sizes, sizesOf, onSave }, onChoose }: FigureItemsProps) {
  return (
    <>
      {figureFiles.map(({ format, name, text }) => {
        const isMissing = format !== 'png' && sizesOf === undefined;
        return (
          <DropdownMenuItem key={format} disabled={isMissing} onSelect={() => onSave(format)}>
            <span className="w-full">
              <span className="flex justify-between gap-4">
                {name} <span className="text-muted text-xs leading-5 tabular-nums">{sizes?.[format]}</span>
              </span>
              <span className="text-muted block text-xs">
                {isMissing ? 'Not available: its source is unknown' : text}
              </span>
            </span>
          </DropdownMenuItem>
        );
      })}
      {sizesOf !== undefined && <DropdownMenuItem onSelect={onChoose}>Title and width…</DropdownMenuItem>}
    </>
  );
}
