import type { PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import type { Dispatch, SetStateAction } from 'react';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { counted, formatCount } from '@/lib/counted.ts';
import { nameList } from '@/lib/name-list.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { GeneChips } from './gene-chips.tsx';
import type { GeneIndex } from './gene-index.ts';
import { GeneSearch } from './gene-search.tsx';
import type { GeneratedCount } from './generated-text.ts';
import { generatedText } from './generated-text.ts';
import type { PlotKind } from './plan-gene-plots.ts';
import { planGenePlots } from './plan-gene-plots.ts';
import { PlotFailureAlert } from './plot-failure-alert.tsx';
import { noDatasetLoaded } from './plot-failure.ts';
import { RunResult } from './run-result.tsx';
import type { usePlotUmapWithGenes } from './use-plot-umap-with-genes.ts';
import { ViolinOption } from './violin-option.tsx';

export interface GeneVisualizationPanelProps {
  index: GeneIndex;
  /** Most genes that one call takes. */
  genesPerCall: number;
  genes: readonly string[];
  onGenesChange: Dispatch<SetStateAction<string[]>>;
  violin: boolean;
  onViolinChange: (violin: boolean) => void;
  call: ReturnType<typeof usePlotUmapWithGenes>;
  /** Nothing is drawn while the cells to draw are being chosen. */
  busy: boolean;
  /** Whether this plot is in the image library already. */
  exists: (gene: string, kind: PlotKind) => boolean;
  /** Takes the plots in; says how many were new, and how many older ones they pushed out. */
  onGenerated: (answer: PlotUmapWithGenesAnswer) => GeneratedCount;
  /** Called with genes whose plots exist, so that they can be brought into view. */
  onExisting: (genes: readonly string[], kinds: readonly PlotKind[]) => void;
  onReload: () => Promise<boolean>;
}

/** Gene Visualization: choose genes, see each on the UMAP and, if wanted, by cell type. */
export function GeneVisualizationPanel({
  index,
  genesPerCall,
  genes,
  onGenesChange,
  violin,
  onViolinChange,
  call,
  busy,
  exists,
  onGenerated,
  onExisting,
  onReload,
}: GeneVisualizationPanelProps) {
  const id = useId();
  const [result, setResult] = useState<{ found: string[]; notFound: string[] } | null>(null);
  const excess = genes.length - genesPerCall;
  const disabled = genes.length === 0 || excess > 0 || call.isPending || busy;

  const visualize = () => {
    if (disabled) return;
    const kinds: PlotKind[] = violin ? ['umap', 'violin'] : ['umap'];
    const { wanted, done } = planGenePlots(genes, kinds, exists);
    if (done.length > 0) {
      toast.info('Images Already Generated', {
        description:
          wanted.length === 0
            ? `${nameList(done)}: shown in the viewer.`
            : `${nameList(done)}: only ${nameList(wanted)} will be generated.`,
      });
    }
    if (wanted.length === 0) {
      call.reset();
      setResult({ found: done, notFound: [] });
      onExisting(done, kinds);
      return;
    }
    setResult(null);
    call.mutate(
      { genes: wanted, violin_plot: violin },
      {
        onSuccess: (answer) => {
          setResult({ found: [...done, ...answer.found_genes], notFound: answer.not_found_genes });
          const count = onGenerated(answer);
          if (count.added > 0) {
            toast.success('Gene UMAP Generated', { description: generatedText(count, answer.found_genes) });
          }
        },
        onError: (error) => {
          if (isCancelled(error)) return;
          toast.error('Error', {
            description:
              error.message === noDatasetLoaded
                ? noDatasetLoaded
                : 'Failed to generate gene UMAP plots. Please try again.',
          });
        },
      },
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <GeneSearch
        index={index}
        label="Search genes"
        chosen={genes}
        onAdd={(added) => onGenesChange((current) => [...current, ...added])}
        onRemoveLast={() => onGenesChange((current) => current.slice(0, -1))}
        onConfirm={visualize}
      />
      <GeneChips
        label="Selected genes"
        genes={genes}
        onRemove={(gene) => onGenesChange((current) => current.filter((other) => other !== gene))}
        onClear={() => onGenesChange([])}
      />
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-2 text-[13px]">
          <Checkbox id={`${id}-umap`} checked disabled />
          <label htmlFor={`${id}-umap`} className="text-muted">
            Generate UMAP
          </label>
        </div>
        <ViolinOption checked={violin} onChange={onViolinChange} />
      </div>
      <Button
        onClick={visualize}
        disabled={disabled}
        aria-describedby={excess > 0 ? `${id}-excess` : undefined}
        className="w-full"
      >
        {call.isPending ? (
          <>
            <Spinner />
            Generating...
          </>
        ) : (
          `Visualize Selected Genes (${genes.length})`
        )}
      </Button>
      {excess > 0 && (
        <p id={`${id}-excess`} role="status" className="text-danger text-xs">
          {`At most ${counted(genesPerCall, 'gene')} can be plotted at once; remove ${formatCount(excess)}.`}
        </p>
      )}
      <PlotFailureAlert
        error={call.error}
        kept="Your genes and images are kept."
        onRetry={visualize}
        onReload={onReload}
      />
      {result !== null && <RunResult found={result.found} notFound={result.notFound} />}
    </div>
  );
}
