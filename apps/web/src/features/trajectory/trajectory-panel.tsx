import type { FigureContent, FigureFormat, TrajectoryAnswer } from '@cellfolio/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { DrawnFigure, type FigurePanelProps, useSaveResult } from '@/features/analyses/index.ts';
import { renderFigure } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';

const kinds = [
  { kind: 'pseudotime-umap', label: 'Pseudotime on the UMAP', word: 'map of pseudotime' },
  { kind: 'paga-graph', label: 'PAGA graph of the groups', word: 'PAGA graph' },
  { kind: 'pseudotime-heatmap', label: 'Heatmap of genes', word: 'heatmap' },
  { kind: 'pseudotime-curve', label: 'Curves of genes', word: 'curves' },
] as const;

const formats = [
  { format: 'png', ending: '.png', label: 'PNG' },
  { format: 'png-300dpi', ending: '_300dpi.png', label: 'PNG, 300 dpi' },
  { format: 'svg', ending: '.svg', label: 'SVG' },
] as const satisfies readonly { format: FigureFormat; ending: string; label: string }[];

/** The four figures of a trajectory, one at a time, with the files of that, and the cells as a file. */
export function TrajectoryPanel({ answer }: FigurePanelProps<TrajectoryAnswer>) {
  const { api } = useServices();
  const { save, preparing } = useSaveResult();
  // Without an embedding the first two have nothing to lie on.
  const offered = answer.source.content.kind === 'pseudotime-umap' ? kinds : kinds.slice(2);
  const [chosen, setChosen] = useState<string>(answer.source.content.kind);
  const { kind, label, word } = offered.find((one) => one.kind === chosen) ?? offered[0]!;
  const source = {
    ...answer.source,
    content: { ...answer.source.content, kind } as FigureContent,
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select value={kind} onValueChange={setChosen}>
          <SelectTrigger data-size="sm" className="w-64" aria-label="Figure">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {offered.map((one) => (
              <SelectItem key={one.kind} value={one.kind}>
                {one.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        {formats.map(({ format, ending, label: name }) => (
          <Button
            key={format}
            variant="secondary"
            size="sm"
            disabled={preparing}
            aria-label={`Download ${label} as ${name}`}
            onClick={() =>
              save({
                name: `${kind.replaceAll('-', '_')}${ending}`,
                what: word,
                file: () => renderFigure(api, source, format),
              })
            }
          >
            <Download aria-hidden />
            {name}
          </Button>
        ))}
        <Button
          variant="secondary"
          size="sm"
          disabled={preparing}
          onClick={() =>
            save({
              name: 'pseudotime_cells.csv',
              what: 'CSV',
              file: () => new Blob([answer.cells_csv], { type: 'text/csv;charset=utf-8' }),
            })
          }
        >
          <Download aria-hidden />
          Pseudotime of each cell, CSV
        </Button>
      </div>
      <DrawnFigure source={source} alt={`${label}, from ${answer.root.barcode}`} word={word} />
    </div>
  );
}
