import type { DatasetAnalysis } from '@cellfolio/contract';
import { CopyPlus, Pencil, Trash2, CircleCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { formatCount, nameList, plural } from '@/lib/format.ts';
import { eachValueDrafts, hasField } from './each-value.ts';
import { type SubsetDraft, emptyDraft, readDraft } from './filter-config.ts';
import { freeName } from './filter-payload.ts';
import type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
import { SubsetName } from './subset-chooser.tsx';
import { SubsetForm } from './subset-form.tsx';
import type { ActiveSubset } from './use-active-subset.ts';
import { useCountCells, useFilterPreview } from './use-filter-preview.ts';
import { useSubsetActions } from './use-subset-actions.tsx';

interface ManageSubsetsPanelProps {
  draftKey: string;
  analysis: DatasetAnalysis;
  index: GeneIndex;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  onPlotGenes: () => void;
  onChooseSubsets: (ids: readonly string[]) => void;
}

export function ManageSubsetsPanel({
  draftKey,
  analysis,
  index,
  subsets,
  activeSubset,
  onPlotGenes,
  onChooseSubsets,
}: ManageSubsetsPanelProps) {
  const state = useSubsetEditor({ draftKey, analysis, subsets, activeSubset });
  const { draft, edit, editing, clear, eachField, setEachField, actions, preview, justSaved } = state;
  const [first] = justSaved;
  const submitText = editing
    ? { idle: 'Update Subset', working: 'Updating...' }
    : { idle: 'Create Subset', working: 'Creating...' };

  return (
    <div className="flex flex-col gap-3">
      <SavedSubsetField state={state} subsets={subsets} version={analysis.version} />
      {editing !== null && (
        <Alert variant="accent" role="status" className="items-center">
          <span className="min-w-0 flex-1 truncate" title={editing.name}>
            Modifying <strong className="font-semibold">{editing.name}</strong>
          </span>
          <Button variant="secondary" size="xs" disabled={actions.working} onClick={clear}>
            Cancel
          </Button>
        </Alert>
      )}
      {justSaved.length > 1 && (
        <SavedTogether
          names={justSaved.map(({ name }) => name)}
          onPlotGenes={() => {
            onChooseSubsets(justSaved.map(({ id }) => id));
            onPlotGenes();
          }}
        />
      )}
      {justSaved.length === 1 && first && (
        <NextSteps
          name={first.name}
          cells={
            activeSubset.active.group?.id === first.id
              ? (activeSubset.active.answer?.cell_count ?? null)
              : null
          }
          datasetCells={analysis.cell_count}
          onPlotGenes={onPlotGenes}
          onModify={() => void state.modify(first.id)}
        />
      )}
      <SubsetForm
        analysis={analysis}
        index={index}
        draft={draft}
        preview={preview}
        onChange={edit}
        each={editing === null ? { field: eachField, onChange: setEachField } : undefined}
      />
      <div className="flex gap-2">
        <Button className="flex-1" disabled={actions.working} onClick={() => void state.submit()}>
          {actions.saving ? (
            <>
              <Spinner />
              {submitText.working}
            </>
          ) : (
            submitText.idle
          )}
        </Button>
        <Button variant="secondary" disabled={actions.working} onClick={clear}>
          Clear
        </Button>
      </div>
    </div>
  );
}

type EditorOptions = Pick<ManageSubsetsPanelProps, 'draftKey' | 'analysis' | 'subsets' | 'activeSubset'>;

function useSubsetEditor({ draftKey, analysis, subsets, activeSubset }: EditorOptions) {
  const [draft, setDraft] = useDraft<SubsetDraft>(`${draftKey}:subset`, emptyDraft(), readDraft);
  const [editing, setEditing] = useState<{ id: string; name: string } | null>(null);
  const [chosenId, setChosenId] = useState('');
  const [eachField, setEachField] = useState<string | null>(null);
  const [savedIds, setSavedIds] = useState<readonly string[]>([]);
  const saved = subsets.list.data ?? [];
  const opened = `${analysis.dataset_filename}@${analysis.version}`;
  const preview = useFilterPreview(draft.config, opened);
  const countCells = useCountCells(opened);

  const edit = (next: SubsetDraft) => {
    setDraft(next);
    setSavedIds([]);
  };
  const clear = () => {
    edit(emptyDraft());
    setEditing(null);
    setEachField(null);
  };
  const actions = useSubsetActions({
    subsets,
    activeSubset,
    onDone: ({ id }) => {
      clear();
      setChosenId(id);
      setSavedIds([id]);
    },
  });
  const modify = async (id: string) => {
    const subset = await actions.load(id);
    if (subset === undefined) return;
    edit(subset.draft);
    setEditing({ id: subset.id, name: subset.name });
    toast.success('Subset Loaded', { description: `Loaded ${subset.name} for modification.` });
  };
  const duplicate = async (id: string) => {
    const subset = await actions.load(id);
    if (subset === undefined) return;
    edit({ ...subset.draft, name: freeName(`${subset.name} copy`, actions.namesBut(null)) });
    setEditing(null);
  };
  const remove = async (subset: SavedSubset) => {
    if (!(await actions.remove(subset))) return;
    setChosenId('');
    if (editing?.id === subset.id) clear();
  };
  const createEach = async (field: string) => {
    const created = await actions.createEach(eachValueDrafts(draft, field), countCells);
    if (created.length === 0) return;
    clear();
    setSavedIds(created.map(({ id }) => id));
  };
  const submit = async () => {
    if (editing) await actions.update(editing.id, draft, preview);
    else if (eachField !== null && hasField(draft, eachField)) await createEach(eachField);
    else await actions.create(draft, preview);
  };
  return {
    draft,
    edit,
    clear,
    editing,
    eachField,
    setEachField,
    preview,
    actions,
    chosen: saved.find(({ id }) => id === chosenId),
    setChosenId,
    justSaved: savedIds.flatMap((savedId) => saved.find(({ id }) => id === savedId) ?? []),
    modify,
    duplicate,
    remove,
    submit,
  };
}

interface SavedSubsetFieldProps {
  state: ReturnType<typeof useSubsetEditor>;
  subsets: SavedSubsets;
  version: string;
}

function SavedSubsetField({ state, subsets, version }: SavedSubsetFieldProps) {
  const id = useId();
  const { chosen, actions } = state;
  const saved = subsets.list.data ?? [];
  if (saved.length === 0) {
    return (
      subsets.list.isSuccess && (
        <p className="text-muted text-[13px]">
          No saved subsets of this dataset yet. Tick a filter below to create one.
        </p>
      )
    );
  }
  const button = {
    variant: 'secondary',
    size: 'sm',
    disabled: chosen === undefined || actions.working,
  } as const;
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-[13px]">
        Saved subset
      </Label>
      <Select value={chosen?.id ?? ''} onValueChange={state.setChosenId} disabled={actions.working}>
        <SelectTrigger id={id}>
          <SelectValue placeholder="Select a subset" />
        </SelectTrigger>
        <SelectContent>
          {saved.map((subset) => (
            <SelectItem key={subset.id} value={subset.id}>
              <SubsetName subset={subset} version={version} />
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <div className="flex flex-wrap gap-2">
        <Button {...button} onClick={() => chosen && void state.modify(chosen.id)}>
          <Pencil aria-hidden />
          Modify Subset
        </Button>
        <Button {...button} onClick={() => chosen && void state.duplicate(chosen.id)}>
          <CopyPlus aria-hidden />
          Duplicate
        </Button>
        <Button {...button} className="text-danger" onClick={() => chosen && void state.remove(chosen)}>
          <Trash2 aria-hidden />
          Delete Subset
        </Button>
      </div>
    </div>
  );
}

interface NextStepsProps {
  name: string;
  /** Cell count; `null` if the server could not apply the subset. */
  cells: number | null;
  datasetCells: number;
  onPlotGenes: () => void;
  onModify: () => void;
}

function NextSteps({ name, cells, datasetCells, onPlotGenes, onModify }: NextStepsProps) {
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

function SavedTogether({ names, onPlotGenes }: { names: readonly string[]; onPlotGenes: () => void }) {
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
