import { type GeneNote, speciesNote } from '@cellfolio/analyses';
import type {
  Caution,
  DatasetAnalysis,
  GeneSetLibraries,
  PlotCellStateAnswer,
  PlotCellStateRequest,
} from '@cellfolio/contract';
import { cellStateNames, defaultMinimumGenes, geneSetAttribution } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { CautionList } from '@/components/caution-list.tsx';
import { GeneNoteLine } from '@/components/gene-note.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { geneSetLibrariesQuery } from '@/features/gene-sets/gene-set-libraries.tsx';
import { tooFewGenes } from '@/lib/call-failure.ts';
import { formatCount, plural, pluralWord } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { readFlag, useDraft } from '@/lib/use-draft.ts';
import type { Exploration } from '../use-exploration.ts';
import { generatedText, ViolinOption } from './run-outcome.tsx';

interface Outcome {
  text: string;
  warnings: readonly Caution[];
}

export function CellStatePanel({ exploration }: { exploration: Exploration }) {
  const { analysis, draftKey, groupedBy, activeSubset, calls, images, onReload } = exploration;
  const [state, setState] = useDraft(`${draftKey}:cell-state`, '', readState);
  const [violin, setViolin] = useDraft(`${draftKey}:cell-state-violin`, false, readFlag);
  const { api } = useServices();
  const states = useQuery(geneSetLibrariesQuery(api, analysis)).data?.cell_state_genes;
  const stateGenes = states?.find(({ name }) => name === state);
  const run = usePlotRun<PlotCellStateRequest, PlotCellStateAnswer, Outcome>({
    call: calls.cellState,
    complete: state !== '' && stateGenes?.found_count !== 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to generate cell state visualization. Please try again.',
  });

  const refused = tooFewGenes(run.call.error);
  const visualize = (minimumGenes?: number) => {
    if (run.disabled) return;
    const request = { cell_state: state, violin_plot: violin };
    const fullRequest = minimumGenes === undefined ? request : { ...request, minimum_genes: minimumGenes };
    run.draw(fullRequest, (answer) => {
      run.setOutcome({ text: scoredText(answer), warnings: answer.warnings });
      const count = images.score.onGenerated(answer);
      toast.success('Cell State Visualization Generated', {
        description: generatedText(count, [answer.cell_state]),
      });
    });
  };

  return (
    <div className="flex flex-col gap-3">
      <StateField
        species={analysis.species}
        state={state}
        genes={stateGenes}
        onChange={(next) => {
          setState(next);
          // A refusal is of the state before.
          run.call.reset();
        }}
      />
      <ViolinOption checked={violin} onChange={setViolin} groupedBy={groupedBy} />
      <PlotRunControls
        run={refused === undefined ? run : { ...run, call: { ...run.call, error: null } }}
        label="Visualize Cell State Filter"
        working="Visualizing..."
        keptNote="Your choice and your images are kept."
        onRun={() => visualize()}
        onReload={onReload}
      >
        {refused !== undefined && (
          <TooFewGenes state={state} refused={refused} disabled={run.disabled} onScore={visualize} />
        )}
        {run.outcome !== null && (
          <>
            <p role="status" className="text-muted text-xs">
              {run.outcome.text}
            </p>
            <CautionList cautions={run.outcome.warnings} />
          </>
        )}
      </PlotRunControls>
    </div>
  );
}

interface StateFieldProps {
  species: DatasetAnalysis['species'];
  state: string;
  genes: StateGenes | undefined;
  onChange: (state: string) => void;
}

type StateGenes = NonNullable<GeneSetLibraries['cell_state_genes']>[number];

function genesNote({ gene_count: total, found_count: count }: StateGenes): GeneNote {
  if (count === 0) {
    const text = `None of its ${plural(total, 'gene')} is in this dataset: choose another state.`;
    return { text, isRefused: true };
  }
  const text = `${formatCount(count)} of its ${plural(total, 'gene')} ${pluralWord(count, 'is', 'are')} in this dataset.`;
  return { text, isRefused: count < defaultMinimumGenes };
}

function StateField({ species, state, genes, onChange }: StateFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-[13px]">
        Cell state
      </Label>
      <Select value={state} onValueChange={onChange}>
        <SelectTrigger id={id} aria-describedby={`${id}-minimum`}>
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
      <p id={`${id}-minimum`} className="text-muted text-xs">
        {`Scored where the dataset has at least ${defaultMinimumGenes} of its genes: fewer genes do not measure the state.`}
      </p>
      <GeneNoteLine note={stateNote(species)} />
      <GeneNoteLine note={genes && genesNote(genes)} />
    </div>
  );
}

/** States are scored on any dataset: where no table maps their genes, by name. */
function stateNote(species: DatasetAnalysis['species']): ReturnType<typeof speciesNote> {
  const note = speciesNote(species, 'human');
  if (!note?.isRefused) return note;
  const text = `This dataset has ${species.name ?? ''} genes: the human genes of a state are matched by name, ignoring case.`;
  return { text, isRefused: false };
}

interface TooFewGenesProps {
  state: string;
  refused: NonNullable<ReturnType<typeof tooFewGenes>>;
  disabled: boolean;
  onScore: (minimumGenes: number) => void;
}

function TooFewGenes({ state, refused: { genes: foundGenes, total }, disabled, onScore }: TooFewGenesProps) {
  return (
    <Alert variant="warning" role="alert">
      <span className="flex min-w-0 flex-col items-start gap-2 wrap-anywhere">
        {`The dataset has ${foundGenes.length} of the ${plural(total, 'gene')} of ${state}: ${foundGenes.join(', ')}. So few genes do not measure the state.`}
        <Button variant="secondary" size="xs" disabled={disabled} onClick={() => onScore(foundGenes.length)}>
          {`Score with ${plural(foundGenes.length, 'gene')}`}
        </Button>
      </span>
    </Alert>
  );
}

function scoredText({ cell_state, found_genes, not_found_genes, library }: PlotCellStateAnswer): string {
  const all = found_genes.length + not_found_genes.length;
  return `${cell_state}: ${found_genes.length} of ${plural(all, 'gene')} of ${library.title} are in this dataset. ${geneSetAttribution(library)}`;
}

function readState(value: unknown): string | undefined {
  return typeof value === 'string' && cellStateNames.includes(value) ? value : undefined;
}
