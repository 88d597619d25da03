import type { PlotUmapWithGenesAnswer, PlotUmapWithGenesRequest } from '@cellfolio/contract';
import { useId, useState } from 'react';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import type { PlotRun } from '@/components/plot-run.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { hasNoRequestedGenes } from '@/lib/call-failure.ts';
import { formatCount, plural } from '@/lib/format.ts';
import type { FoundGenes } from './run-outcome.tsx';
import { tourAnchor } from '@/lib/tour-anchor.ts';
import { readFlag, useDraft } from '@/lib/use-draft.ts';
import type { PlotKind } from '../explorer-images.ts';
import type { Exploration } from '../use-exploration.ts';
import { revealPanel } from '../panel-reveals.ts';
import { analysisPanels } from '../panel-titles.ts';
import { planGenePlots } from '../use-show-genes.ts';
import { generatedText, RunResult, ViolinOption } from './run-outcome.tsx';

export function GeneVisualizationPanel({ exploration }: { exploration: Exploration }) {
  const { draftKey, index, genesPerCall, groupedBy, several, onReload } = exploration;
  const { searchRef, chosen, setChosen } = exploration.genes;
  const id = useId();
  const [violin, setViolin] = useDraft(`${draftKey}:gene-violin`, false, readFlag);
  const { run, problem, visualize, outcome } = useGeneRun(exploration, violin);
  return (
    <div className="flex flex-col gap-3">
      <div {...tourAnchor('gene')}>
        <GenePicker
          ref={searchRef}
          index={index}
          label="Search genes"
          chosenLabel="Selected genes"
          max={genesPerCall}
          genes={chosen}
          onChange={setChosen}
          onConfirm={visualize}
        />
      </div>
      <div className="flex flex-col gap-2">
        <CheckOption checked>Generate UMAP</CheckOption>
        <ViolinOption checked={violin} onChange={setViolin} groupedBy={groupedBy} />
        <SubsetChoiceFields {...several} />
      </div>
      <PlotRunControls
        run={run}
        label={`Visualize Selected Genes (${chosen.length})`}
        working="Generating..."
        keptNote="Your genes and images are kept."
        onRun={visualize}
        onReload={onReload}
        problem={problem === '' ? undefined : { id: `${id}-problem`, text: problem }}
      >
        {outcome !== null && <RunResult {...outcome} />}
      </PlotRunControls>
    </div>
  );
}

function useGeneRun(exploration: Exploration, violin: boolean) {
  const { genesPerCall, several, activeSubset, calls } = exploration;
  const images = exploration.images.gene;
  const genes = exploration.genes.chosen;
  const kinds: PlotKind[] = violin ? ['umap', 'violin'] : ['umap'];
  const busy = activeSubset.isApplying;
  const excess = genes.length - genesPerCall;
  const inActive = usePlotRun<PlotUmapWithGenesRequest, PlotUmapWithGenesAnswer, FoundGenes>({
    call: calls.gene,
    complete: genes.length > 0 && excess <= 0,
    busy,
    failed: 'Failed to generate gene UMAP plots. Please try again.',
  });
  const { setOutcome } = inActive;
  const inSeveral = several.chosen.length > 0;
  const imageCount = genes.length * kinds.length * several.chosen.length;
  const tooMany = imageCount > several.maxImages;
  const run: PlotRun = inSeveral
    ? { call: several.call, disabled: genes.length === 0 || tooMany || busy || several.call.isPending }
    : inActive;

  const visualize = async () => {
    if (run.disabled) return;
    if (inSeveral) {
      setOutcome(null);
      several.draw(genes, kinds);
      return;
    }
    const { wanted, done } = planGenePlots(genes, kinds, await images.existing(genes, kinds));
    const onExisting = () => {
      setOutcome({ genes: done, notFound: [] });
      return images.onExisting(done, kinds);
    };
    if (!inActive.guard({ done, fresh: wanted, onExisting })) return;
    inActive.draw(
      { genes: wanted, violin_plot: violin },
      (answer) => {
        const { found_genes: foundGenes, not_found_genes: notFound, renamed_genes: renamed } = answer;
        const count = images.onGenerated(answer, done, kinds);
        setOutcome({ genes: [...done, ...foundGenes], notFound, renamed, images: count.added });
        if (count.added > 0) {
          toast.success('Gene UMAP Generated', { description: generatedText(count, answer.found_genes) });
        }
      },
      (error) => {
        if (hasNoRequestedGenes(error)) setOutcome({ genes: done, notFound: wanted });
      },
    );
  };
  let problem = '';
  if (inSeveral && tooMany) {
    problem = `This would draw ${formatCount(imageCount)} images; the maximum is ${several.maxImages}.`;
  } else if (!inSeveral && excess > 0) {
    problem = `At most ${plural(genesPerCall, 'gene')} can be plotted at once; remove ${formatCount(excess)}.`;
  }
  return { run, problem, visualize: () => void visualize(), outcome: inActive.outcome };
}

interface SubsetChoice {
  subsets: readonly { id: string; name: string }[];
  /** Ids of the subsets to draw in; empty for the active cells. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

function SubsetChoiceFields({ subsets, chosen, onChange }: SubsetChoice) {
  const [open, setOpen] = useState(false);
  if (subsets.length === 0)
    return (
      <div className="flex flex-wrap items-baseline gap-x-2">
        <CheckOption checked={false}>Draw in several subsets (none saved yet)</CheckOption>
        <Button
          variant="link"
          size="inline"
          className="pl-6 text-xs"
          onClick={() => revealPanel(analysisPanels.subsets)}
        >
          Create subsets
        </Button>
      </div>
    );
  const isOpen = open || chosen.length > 0;
  return (
    <>
      <CheckOption
        checked={isOpen}
        onChange={(on) => {
          setOpen(on);
          if (!on) onChange([]);
        }}
      >
        {chosen.length === 0 ? 'Draw in several subsets' : `Drawn in each of ${chosen.length} subsets`}
      </CheckOption>
      {isOpen && (
        <div className="pl-6">
          <CheckList
            legend="Saved subsets to draw in"
            items={subsets.map(({ id, name }) => ({ value: id, label: name }))}
            checked={chosen}
            onChange={onChange}
          />
        </div>
      )}
    </>
  );
}
