import type { PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import { CircleAlert } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { toast } from 'sonner';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { counted, formatCount } from '@/lib/counted.ts';
import { nameList } from '@/lib/name-list.ts';
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
  /** Most genes that one call takes. */
  genesPerCall: number;
  call: ReturnType<typeof usePlotUmapWithGenes>;
  /** Whether this plot is in the image library already. */
  exists: (gene: string, kind: PlotKind) => boolean;
  /** Takes the plots in; says how many were new, and how many older ones they pushed out. */
  onGenerated: (answer: PlotUmapWithGenesAnswer) => GeneratedCount;
  /** Called with genes whose plots exist, so that they can be brought into view. */
  onExisting: (genes: readonly string[], kinds: readonly PlotKind[]) => void;
}

export interface GeneratedCount {
  added: number;
  dropped: number;
  /** How many generated images are kept at most. */
  kept: number;
}

/** Gene Visualization: choose genes, see each on the UMAP and, if wanted, by cell type. */
export function GeneVisualizationPanel({
  geneLibrary,
  genesPerCall,
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
  const excess = genes.length - genesPerCall;
  const disabled = genes.length === 0 || excess > 0 || call.isPending;

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

function generatedText({ added, dropped, kept }: GeneratedCount, genes: readonly string[]): string {
  const made = `${counted(added, 'image')} for ${nameList(genes)}.`;
  if (dropped === 0) return made;
  const gone = dropped === 1 ? '1 older one was' : `${dropped} older ones were`;
  return `${made} The library keeps the newest ${kept} images; ${gone} dropped.`;
}
