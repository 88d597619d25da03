import { CircleCheck } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { formatCount, nameList, plural } from '@/lib/format.ts';

interface NextStepsProps {
  name: string;
  /** Cell count; `null` if the server could not apply the subset. */
  cells: number | null;
  datasetCells: number;
  onPlotGenes: () => void;
  onModify: () => void;
}

export function NextSteps({ name, cells, datasetCells, onPlotGenes, onModify }: NextStepsProps) {
  return (
    <Alert variant="success" role="status">
      <CircleCheck aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="wrap-anywhere">
          <strong className="font-semibold">{name}</strong> is saved
          {cells === null
            ? '. Choose it under Cell subset to use it.'
            : ` and active: ${formatCount(cells)} of ${plural(datasetCells, 'cell')}. Plots and analyses now use these.`}
        </p>
        <div className="flex flex-wrap gap-2">
          {cells !== null && (
            <Button size="xs" onClick={onPlotGenes}>
              Plot genes
            </Button>
          )}
          <Button variant="secondary" size="xs" onClick={onModify}>
            Modify it
          </Button>
        </div>
      </div>
    </Alert>
  );
}

export function SavedTogether({ names, onPlotGenes }: { names: readonly string[]; onPlotGenes: () => void }) {
  return (
    <Alert variant="success" role="status">
      <CircleCheck aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
        <p className="wrap-anywhere">
          {plural(names.length, 'subset')} saved: {nameList(names)}. The active cells have not changed.
        </p>
        <Button size="xs" onClick={onPlotGenes}>
          Plot genes in each
        </Button>
      </div>
    </Alert>
  );
}
