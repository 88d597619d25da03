import type { DatasetAnalysis } from '@cellfolio/contract';
import { minSubclusteringCells } from '@cellfolio/contract';
import { useState } from 'react';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { type CellGroup, draftOfFilter, filterWords } from '@/features/subsets/index.ts';
import { failureWords, isSoundTyped, PartSettings, SettingFields } from '@/features/uploads/index.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { CellChoice } from './cell-choices.ts';
import { useStartSubclustering } from './subclustering-calls.ts';
import {
  batchColumns,
  choicesOf,
  emptyForm,
  integrationHint,
  subclusteringSettings,
} from './subclustering-form.ts';

interface SubclusteringDialogProps {
  filename: string;
  /** What the dataset is called. */
  name: string;
  analysis: DatasetAnalysis;
  /** The first is chosen. */
  choices: readonly CellChoice[];
  onClose: () => void;
}

/** Which cells get a map of their own, and with which settings. */
export function SubclusteringDialog({
  filename,
  name,
  analysis,
  choices,
  onClose,
}: SubclusteringDialogProps) {
  const [chosenKey, setChosenKey] = useState(choices[0]?.key ?? '');
  const chosen = choices.find(({ key }) => key === chosenKey) ?? choices[0]!;
  const suggested = nameOf(chosen, name);
  const [form, setForm] = useState(() => emptyForm('', analysis));
  const names = useCategoryNames(filename);
  const start = useStartSubclustering(filename);
  const title = form.name.trim() || suggested;
  const problem =
    chosen.cells !== null && chosen.cells < minSubclusteringCells
      ? `${counted(chosen.cells, 'cell')}: at least ${minSubclusteringCells} are needed for a map.`
      : null;
  const ready = problem === null && isSoundTyped(form.typed, subclusteringSettings) && !start.isPending;
  const submit = () => {
    const { group, words } = chosen;
    start.mutate(
      {
        name: title,
        cells: group === null ? {} : { subset: group.filter },
        definition:
          group === null
            ? 'all cells'
            : definitionOf(group, words ?? filterWords(draftOfFilter(group.filter).config, names)),
        choices: choicesOf(form),
      },
      {
        onSuccess: () => {
          toast.success('Subclustering Started', {
            description: `The panel Subclustering shows the progress of ${title}.`,
          });
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Subcluster These Cells"
      description="Variable genes, components, clusters and a UMAP are computed from the raw counts of these cells alone. They become a dataset of yours; this one stays as it is."
      className="lg:max-w-3xl"
      failure={start.isError ? failureWords(start.error) : undefined}
      note={problem ?? 'Columns and your labels come along. Empty fields use the default shown.'}
      submit={{ text: 'Subcluster', ready, pending: start.isPending }}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <CellsField {...{ choices, chosen }} onChange={setChosenKey} />
        <Field label="Name of the new dataset">
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              autoComplete="off"
              className="h-8 text-[13px]"
              placeholder={suggested}
              value={form.name}
              onChange={({ target }) => setForm({ ...form, name: target.value })}
            />
          )}
        </Field>
      </div>
      <SettingFields
        settings={subclusteringSettings}
        typed={form.typed}
        onChange={(typed) => setForm({ ...form, typed })}
      >
        <PartSettings
          choice={form.part}
          columns={batchColumns(analysis)}
          hint={integrationHint(analysis)}
          onChange={(part) => setForm({ ...form, part })}
        />
      </SettingFields>
    </FormDialog>
  );
}

interface CellsFieldProps {
  choices: readonly CellChoice[];
  chosen: CellChoice;
  onChange: (key: string) => void;
}

function CellsField({ choices, chosen, onChange }: CellsFieldProps) {
  return (
    <Field label="Cells">
      {(control) => (
        <Select value={chosen.key} onValueChange={onChange}>
          <SelectTrigger {...control} data-size="sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent className="max-w-[min(28rem,calc(100vw-2rem))]">
            {choices.map(({ key, group, cells }) => (
              <SelectItem key={key} value={key} className="wrap-anywhere">
                {group?.name ?? 'All cells'}
                {cells !== null && (
                  <span className="text-muted text-xs tabular-nums"> · {formatCount(cells)}</span>
                )}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

function nameOf({ group }: CellChoice, dataset: string): string {
  return group === null ? `${dataset}, subclustered` : `${dataset}, ${group.name}`;
}

/** A name that says the same as the words is not said twice. */
function definitionOf({ name }: CellGroup, words: string): string {
  return words.includes(name) ? words : `${name} (${words})`;
}
