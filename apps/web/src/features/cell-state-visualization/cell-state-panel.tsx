import type { PlotCellStateAnswer, PlotCellStateRequest } from '@cellfolio/contract';
import { cellStateNames } from '@cellfolio/contract';
import { useId } from 'react';
import { toast } from 'sonner';
import { Label } from '@/components/ui/label.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import type { GeneratedCount } from '@/features/gene-visualization/generated-text.ts';
import { generatedText } from '@/features/gene-visualization/generated-text.ts';
import { PlotRunControls } from '@/features/gene-visualization/plot-run-controls.tsx';
import { usePlotRun } from '@/features/gene-visualization/use-plot-run.ts';
import { ViolinOption } from '@/features/gene-visualization/violin-option.tsx';
import { counted } from '@/lib/counted.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { readFlag, useDraft } from '@/lib/use-draft.ts';
import { plotUmapWithCellState } from './plot-umap-with-cell-state.ts';

export function usePlotCellState() {
  const { api } = useServices();
  return useCancellableCall((request: PlotCellStateRequest, handle) =>
    plotUmapWithCellState(api, request, handle),
  );
}

interface CellStatePanelProps {
  draftKey: string;
  call: ReturnType<typeof usePlotCellState>;
  busy: boolean;
  onGenerated: (answer: PlotCellStateAnswer) => GeneratedCount;
  onReload: () => Promise<boolean>;
}

/** Cell State Visualization: one of the hallmark states, scored on the UMAP. */
export function CellStatePanel({ draftKey, call, busy, onGenerated, onReload }: CellStatePanelProps) {
  const id = useId();
  const [state, setState] = useDraft(`${draftKey}:cell-state`, '', readState);
  const [violin, setViolin] = useDraft(`${draftKey}:cell-state-violin`, false, readFlag);
  const run = usePlotRun<PlotCellStateRequest, PlotCellStateAnswer, string>({
    call,
    complete: state !== '',
    busy,
    failed: 'Failed to generate cell state visualization. Please try again.',
  });

  const visualize = () => {
    if (run.disabled) return;
    run.draw({ cell_state: state, violin_plot: violin }, (answer) => {
      run.setOutcome(scoredText(answer));
      const count = onGenerated(answer);
      toast.success('Cell State Visualization Generated', {
        description: generatedText(count, [answer.cell_state]),
      });
    });
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={id} className="text-[13px]">
          Cell state
        </Label>
        <Select value={state} onValueChange={setState}>
          <SelectTrigger id={id}>
            <SelectValue placeholder="Select a cell state" />
          </SelectTrigger>
          <SelectContent>
            {cellStateNames.map((name) => (
              <SelectItem key={name} value={name}>
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </div>
      <ViolinOption checked={violin} onChange={setViolin} />
      <PlotRunControls
        run={run}
        label="Visualize Cell State Filter"
        working="Visualizing..."
        kept="Your choice and your images are kept."
        onRun={visualize}
        onReload={onReload}
      >
        {run.outcome !== null && (
          <p role="status" className="text-muted text-xs">
            {run.outcome}
          </p>
        )}
      </PlotRunControls>
    </div>
  );
}

/** Which genes the score is made of, and where they come from. */
function scoredText({ cell_state, found_genes, not_found_genes, library }: PlotCellStateAnswer): string {
  const all = found_genes.length + not_found_genes.length;
  const label = library.label === '' ? '' : ` (${library.label})`;
  return `${cell_state}: ${found_genes.length} of ${counted(all, 'gene')} of ${library.name}${label} are in this dataset.`;
}

function readState(value: unknown): string | undefined {
  return typeof value === 'string' && cellStateNames.includes(value) ? value : undefined;
}
