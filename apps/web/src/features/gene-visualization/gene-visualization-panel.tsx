import type { PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import { CircleAlert } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { toast } from 'sonner';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { counted } from '@/lib/counted.ts';
import { GeneChips } from './gene-chips.tsx';
import { indexGenes } from './gene-index.ts';
import { GeneSearch } from './gene-search.tsx';
import type { PlotKind } from './plan-gene-plots.ts';
import { planGenePlots } from './plan-gene-plots.ts';
import { noDatasetLoaded } from './plot-umap-with-genes.ts';
import { RunResult } from './run-result.tsx';
import type { usePlotUmapWithGenes } from './use-plot-umap-with-genes.ts';

export interface GeneVisualizationPanelProps {
  geneLibrary: readonly string[];
  call: ReturnType<typeof usePlotUmapWithGenes>;
  /** Whether this plot is in the image library already. */
  exists: (gene: string, kind: PlotKind) => boolean;
  onGenerated: (answer: PlotUmapWithGenesAnswer) => void;
  /** Called with genes whose plots exist, so that they can be brought into view. */
  onExisting: (genes: readonly string[], kinds: readonly PlotKind[]) => void;
}

/** Gene Visualization: choose genes, see each on the UMAP and, if wanted, by cell type. */
export function GeneVisualizationPanel({
  geneLibrary,
  call,
  exists,
  onGenerated,
  onExisting,
}: GeneVisualizationPanelProps) {
  const id = useId();
  const index = useMemo(() => indexGenes(geneLibrary), [geneLibrary]);
  const [genes, setGenes] = useState<string[]>([]);
  const [violin, setViolin] = useState(false);
  const [result, setResult] = useState<{ found: string[]; notFound: string[] } | null>(null);
  const disabled = genes.length === 0 || call.isPending;

  const visualize = () => {
    if (disabled) return;
    const kinds: PlotKind[] = violin ? ['umap', 'violin'] : ['umap'];
    const { wanted, done } = planGenePlots(genes, kinds, exists);
    if (done.length > 0) {
      toast.info('Images Already Generated', {
        description:
          wanted.length === 0
            ? `${done.join(', ')}: shown in the viewer.`
            : `${done.join(', ')}: only ${wanted.join(', ')} will be generated.`,
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
          onGenerated(answer);
          if (answer.plots.length > 0) {
            toast.success('Gene UMAP Generated', {
              description: `${counted(answer.plots.length, 'image')} for ${answer.found_genes.join(', ')}.`,
            });
          }
        },
        onError: (error) => {
          if (error.name === 'AbortError') return;
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
        chosen={genes}
        onAdd={(added) => setGenes((current) => [...current, ...added])}
        onRemoveLast={() => setGenes((current) => current.slice(0, -1))}
        onConfirm={visualize}
      />
      <GeneChips
        genes={genes}
        onRemove={(gene) => setGenes((current) => current.filter((other) => other !== gene))}
        onClear={() => setGenes([])}
      />
      <div className="flex flex-col gap-2 text-[13px]">
        <div className="flex items-center gap-2">
          <Checkbox id={`${id}-umap`} checked disabled />
          <label htmlFor={`${id}-umap`} className="text-muted">
            Generate UMAP
          </label>
        </div>
        <div className="flex items-center gap-2">
          <Checkbox
            id={`${id}-violin`}
            checked={violin}
            onCheckedChange={(checked) => setViolin(checked === true)}
          />
          <label htmlFor={`${id}-violin`}>Generate Expression by Cell Type Violin Plot</label>
        </div>
      </div>
      <Button onClick={visualize} disabled={disabled} className="w-full">
        {call.isPending ? (
          <>
            <Spinner />
            Generating...
          </>
        ) : (
          `Visualize Selected Genes (${genes.length})`
        )}
      </Button>
      {call.isError && call.error.name !== 'AbortError' && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          <span className="min-w-0 break-words">
            {call.error.message}
            {call.error.message !== noDatasetLoaded && (
              <span className="block">Your genes and images are kept.</span>
            )}
          </span>
        </Alert>
      )}
      {result !== null && <RunResult found={result.found} notFound={result.notFound} />}
    </div>
  );
}
