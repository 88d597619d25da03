import type { trajectory } from '@cellfolio/analyses';
import type { AnalysisAnswer } from '@cellfolio/contract';
import { Download } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import {
  defineView,
  FigureChoice,
  type FigurePanelProps,
  figuresOfKinds,
  useSaveResult,
} from '@/features/analyses/index.ts';

type Answer = AnalysisAnswer<typeof trajectory>;

const kinds = [
  { kind: 'pseudotime-umap', label: 'Pseudotime on the UMAP', word: 'map of pseudotime' },
  { kind: 'paga-graph', label: 'PAGA graph of the groups', word: 'PAGA graph' },
  { kind: 'pseudotime-heatmap', label: 'Heatmap of genes', word: 'heatmap' },
  { kind: 'pseudotime-curve', label: 'Curves of genes', word: 'curves' },
] as const;

function Figure({ answer }: FigurePanelProps<Answer>) {
  const { save, preparing } = useSaveResult();
  const source = answer.source!;
  // Without an embedding the first two have nothing to lie on.
  const offered = source.content.kind === 'pseudotime-umap' ? kinds : kinds.slice(2);
  return (
    <FigureChoice figures={figuresOfKinds(offered, source, `, from ${answer.root.barcode}`)}>
      <Button
        variant="secondary"
        size="sm"
        disabled={preparing}
        onClick={() =>
          save({
            name: 'pseudotime_cells.csv',
            what: 'CSV',
            file: () => new Blob([answer.cells_csv ?? ''], { type: 'text/csv;charset=utf-8' }),
          })
        }
      >
        <Download aria-hidden />
        Pseudotime of each cell, CSV
      </Button>
    </FigureChoice>
  );
}

export const trajectoryView = defineView<Answer>({ Figure, opensWithPanel: true });
