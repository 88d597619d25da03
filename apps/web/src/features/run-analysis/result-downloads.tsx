import type { FigureFormat } from '@cellfolio/contract';
import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { renderFigure } from '@/features/image-library/render-figure.ts';
import { saveFile } from '@/lib/save-file.ts';
import { useServices } from '@/lib/services.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { csvOf } from './result-columns.ts';
import { figureFile } from './result-figure.tsx';

/** File names without their endings. */
const names = {
  marker: { table: 'marker_genes', figure: 'marker_dotplot', tableWord: 'CSV', figureWord: 'dot plot' },
  pathway: {
    table: 'pathway_analysis',
    figure: 'pathway_analysis_barplot',
    tableWord: 'CSV',
    figureWord: 'bar plot',
  },
};

/** The table as CSV and the figure as PNG, or drawn anew for print and editing. */
export function ResultDownloads({ result }: { result: AnalysisResult }) {
  const { api } = useServices();
  const [preparing, setPreparing] = useState(false);
  const { table, figure, figureWord } = names[result.kind];
  const { source } = result.answer;

  const save = async (name: string, what: string, file: () => Promise<Blob> | Blob) => {
    setPreparing(true);
    try {
      saveFile(await file(), name);
      toast.success('Download started', { description: name });
    } catch (error) {
      console.warn(`${name} was not downloaded.`, error);
      toast.error('Download failed', { description: `Failed to download the ${what}. Please try again.` });
    } finally {
      setPreparing(false);
    }
  };
  const csv = () => new Blob([csvOf(result)], { type: 'text/csv;charset=utf-8' });
  const drawn = useMemo(() => figureFile(result), [result]);
  const anew = (format: FigureFormat) => () => {
    if (source === null) throw new Error('Nothing was drawn.');
    return renderFigure(api, source, format);
  };
  return (
    <div className="flex items-center gap-2">
      <Button variant="secondary" size="sm" onClick={() => void save(`${table}.csv`, 'CSV', csv)}>
        <FileSpreadsheet aria-hidden />
        Download CSV
      </Button>
      <Button
        variant="secondary"
        size="sm"
        disabled={drawn === null || preparing}
        onClick={() => drawn && void save(`${figure}.png`, figureWord, () => drawn)}
      >
        {preparing ? <Spinner /> : <Download aria-hidden />}
        Download {result.kind === 'marker' ? 'Dot Plot' : 'Bar Plot'}
      </Button>
      <DropdownMenu modal={false}>
        <DropdownMenuTrigger asChild>
          <Button
            variant="secondary"
            size="icon-sm"
            className="size-8"
            disabled={source === null || preparing}
            aria-label={`Download the ${figureWord} in another format`}
          >
            <ChevronDown aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem
            onSelect={() => void save(`${figure}_300dpi.png`, figureWord, anew('png-300dpi'))}
          >
            PNG, 300 dpi
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => void save(`${figure}.svg`, figureWord, anew('svg'))}>
            SVG
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    </div>
  );
}
