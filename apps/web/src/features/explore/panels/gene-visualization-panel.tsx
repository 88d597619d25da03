import type { PlotUmapWithGenesAnswer, PlotUmapWithGenesRequest } from '@cellfolio/contract';
import type { GroupedBy } from '@cellfolio/plots/content';
import type { Dispatch, Ref, SetStateAction } from 'react';
import { useId } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import type { PlotRun } from '@/components/plot-run.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch } from '@/features/genes/index.ts';
import { foundNoGenes } from '@/lib/call-failure.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { FoundGenes, GeneratedCount } from './run-outcome.tsx';
import { generatedText, RunResult, ViolinOption } from './run-outcome.tsx';
import type { usePlotUmapWithGenes } from './use-plot-umap-with-genes.ts';

export type PlotKind = 'umap' | 'violin';

interface GenePlotPlan {
  /** Genes that lack at least one of the wanted plots. */
  wanted: string[];
  /** Genes all of whose wanted plots exist already. */
  done: string[];
}

/** Only what is new is generated: same dataset, disease, subset and kind of plot make the same image. */
export function planGenePlots(
  genes: readonly string[],
  kinds: readonly PlotKind[],
  exists: (gene: string, kind: PlotKind) => boolean,
): GenePlotPlan {
  const done = genes.filter((gene) => kinds.every((kind) => exists(gene, kind)));
  return { wanted: genes.filter((gene) => !done.includes(gene)), done };
}

interface GeneVisualizationPanelProps {
  /** The search box. */
  searchRef: Ref<HTMLInputElement>;
  /** The keys that lead to the search box, as they are written on the keyboard. */
  shortcut: string;
  index: GeneIndex;
  /** Most genes that one call takes. */
  genesPerCall: number;
  genes: readonly string[];
  onGenesChange: Dispatch<SetStateAction<string[]>>;
  groupedBy: GroupedBy;
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
  /** Drawing in several subsets instead of the active cells. */
  several: SeveralSubsets;
  onReload: () => Promise<boolean>;
}

/** How genes are drawn in several subsets, whichever cells are active. */
interface SeveralSubsets extends SubsetChoice {
  call: PlotRun['call'];
  /** Most images of one run. */
  mostImages: number;
  draw: (genes: readonly string[], kinds: readonly PlotKind[]) => void;
}

/** Gene Visualization: choose genes, see each on the UMAP and, if wanted, by cell type or cluster. */
export function GeneVisualizationPanel({
  searchRef,
  shortcut,
  index,
  genesPerCall,
  genes,
  onGenesChange,
  groupedBy,
  violin,
  onViolinChange,
  call,
  busy,
  exists,
  onGenerated,
  onExisting: onShow,
  several,
  onReload,
}: GeneVisualizationPanelProps) {
  const id = useId();
  const excess = genes.length - genesPerCall;
  const run = usePlotRun<PlotUmapWithGenesRequest, PlotUmapWithGenesAnswer, FoundGenes>({
    call,
    complete: genes.length > 0 && excess <= 0,
    busy,
    failed: 'Failed to generate gene UMAP plots. Please try again.',
  });
  const kinds: PlotKind[] = violin ? ['umap', 'violin'] : ['umap'];
  const inSeveral = several.chosen.length > 0;
  const images = genes.length * kinds.length * several.chosen.length;
  const tooMany = images > several.mostImages;
  const shownRun: PlotRun = inSeveral
    ? { call: several.call, disabled: genes.length === 0 || tooMany || busy || several.call.isPending }
    : run;

  const visualize = () => {
    if (shownRun.disabled) return;
    if (inSeveral) {
      run.setOutcome(null);
      several.draw(genes, kinds);
      return;
    }
    const { wanted, done } = planGenePlots(genes, kinds, exists);
    const onExisting = () => {
      run.setOutcome({ found: done, notFound: [] });
      onShow(done, kinds);
    };
    if (!run.guard({ done, fresh: wanted, onExisting })) return;
    run.draw(
      { genes: wanted, violin_plot: violin },
      (answer) => {
        run.setOutcome({ found: [...done, ...answer.found_genes], notFound: answer.not_found_genes });
        const count = onGenerated(answer);
        if (count.added > 0) {
          toast.success('Gene UMAP Generated', { description: generatedText(count, answer.found_genes) });
        }
      },
      (error) => {
        if (foundNoGenes(error)) run.setOutcome({ found: done, notFound: wanted });
      },
    );
  };

  const problem = inSeveral
    ? tooMany &&
      `That would be ${formatCount(images)} images; at most ${several.mostImages} are drawn at once.`
    : excess > 0 &&
      `At most ${counted(genesPerCall, 'gene')} can be plotted at once; remove ${formatCount(excess)}.`;
  return (
    <div className="flex flex-col gap-3">
      <GeneSearch
        ref={searchRef}
        shortcut={shortcut}
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
        <ViolinOption checked={violin} onChange={onViolinChange} groupedBy={groupedBy} />
        <SubsetChoiceFields {...several} />
      </div>
      <PlotRunControls
        run={shownRun}
        label={`Visualize Selected Genes (${genes.length})`}
        working="Generating..."
        kept="Your genes and images are kept."
        onRun={visualize}
        onReload={onReload}
        problem={problem === false ? undefined : { id: `${id}-problem`, text: problem }}
      >
        {run.outcome !== null && <RunResult {...run.outcome} />}
      </PlotRunControls>
    </div>
  );
}

interface SubsetChoice {
  /** Saved subsets of the dataset. */
  subsets: readonly { readonly id: string; readonly name: string }[];
  /** Ids of those to draw in; none for the cells that are active. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** In which cells genes are drawn: those that are active or, one after the other, those of several saved subsets. */
function SubsetChoiceFields({ subsets, chosen, onChange }: SubsetChoice) {
  if (subsets.length === 0) return null;
  return (
    <details className="text-[13px]" open={chosen.length > 0 || undefined}>
      <summary className="text-muted cursor-pointer py-0.5">
        {chosen.length === 0 ? 'Draw in several subsets' : `Drawn in each of ${chosen.length} subsets`}
      </summary>
      <div className="pt-1.5">
        <CheckList
          legend="Saved subsets to draw in"
          items={subsets.map(({ id, name }) => ({ value: id, label: name }))}
          checked={chosen}
          onChange={onChange}
        />
      </div>
    </details>
  );
}
