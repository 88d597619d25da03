import type { DatasetAnalysis } from '@cellfolio/contract';
import { CopyPlus, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { eachValueDrafts, hasField } from './each-value.ts';
import type { SubsetDraft } from './filter-config.ts';
import { emptyDraft, readDraft } from './filter-config.ts';
import { NextSteps, SavedTogether } from './next-steps.tsx';
import type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
import { freeName } from './filter-payload.ts';
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
  /** Leads to the search of genes. */
  onPlotGenes: () => void;
  /** Has genes drawn in these subsets. */
  onChooseSubsets: (ids: readonly string[]) => void;
}

/** Manage Cell Subsets: create a subset, or choose a saved one to modify, duplicate or delete. */
export function ManageSubsetsPanel({
  draftKey,
  analysis,
  index,
  subsets,
  activeSubset,
  onPlotGenes,
  onChooseSubsets,
}: ManageSubsetsPanelProps) {
  const id = useId();
  const [draft, setDraft] = useDraft<SubsetDraft>(`${draftKey}:subset`, emptyDraft(), readDraft);
  const [editing, setEditing] = useState<{ id: string; name: string } | null>(null);
  const [chosenId, setChosenId] = useState('');
  const saved = subsets.list.data ?? [];
  const chosen = saved.find((subset) => subset.id === chosenId);

  const [eachField, setEachField] = useState<string | null>(null);
  const [savedIds, setSavedIds] = useState<readonly string[]>([]);
  const justSaved = savedIds.flatMap((savedId) => saved.find((subset) => subset.id === savedId) ?? []);
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
  const isEach = editing === null && eachField !== null && hasField(draft, eachField);
  const createEach = async (field: string) => {
    const made = await actions.createEach(eachValueDrafts(draft, field), countCells);
    if (made.length === 0) return;
    clear();
    setSavedIds(made.map(({ id }) => id));
  };
  const submit = async () => {
    if (editing) await actions.update(editing.id, draft, preview);
    else if (isEach) await createEach(eachField);
    else await actions.create(draft, preview);
  };
  const submitText = editing
    ? { idle: 'Update Subset', working: 'Updating...' }
    : { idle: 'Create Subset', working: 'Creating...' };

  return (
    <div className="flex flex-col gap-3">
      {subsets.list.isSuccess && saved.length === 0 && (
        <p className="text-muted text-[13px]">
          No saved subsets on this dataset yet. Tick a filter below to create one.
        </p>
      )}
      {saved.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <Label htmlFor={id} className="text-[13px]">
            Saved subset
          </Label>
          <Select value={chosen?.id ?? ''} onValueChange={setChosenId} disabled={actions.working}>
            <SelectTrigger id={id}>
              <SelectValue placeholder="Select a subset" />
            </SelectTrigger>
            <SelectContent>
              {saved.map((subset) => (
                <SelectItem key={subset.id} value={subset.id}>
                  {subset.name}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              disabled={chosen === undefined || actions.working}
              onClick={() => chosen && void modify(chosen.id)}
            >
              <Pencil aria-hidden />
              Modify Subset
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabled={chosen === undefined || actions.working}
              onClick={() => chosen && void duplicate(chosen.id)}
            >
              <CopyPlus aria-hidden />
              Duplicate
            </Button>
            <Button
              variant="secondary"
              size="sm"
              className="text-danger"
              disabled={chosen === undefined || actions.working}
              onClick={() => chosen && void remove(chosen)}
            >
              <Trash2 aria-hidden />
              Delete Subset
            </Button>
          </div>
        </div>
      )}
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
            onChooseSubsets(savedIds);
            onPlotGenes();
          }}
        />
      )}
      {justSaved.length === 1 && justSaved[0] && (
        <NextSteps
          name={justSaved[0].name}
          cells={
            activeSubset.active.group?.id === justSaved[0].id
              ? (activeSubset.active.answer?.cell_count ?? null)
              : null
          }
          datasetCells={analysis.cell_count}
          onPlotGenes={onPlotGenes}
          onModify={() => void modify(savedIds[0] ?? '')}
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
        <Button className="flex-1" disabled={actions.working} onClick={() => void submit()}>
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
