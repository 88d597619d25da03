import type { DatasetAnalysis } from '@cellfolio/contract';
import { minSubclusteringCells } from '@cellfolio/contract';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Field, focusError, Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
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
    if (!ready) return;
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
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-2xl gap-0 p-0 lg:max-w-3xl">
        <header className="flex flex-col gap-1 border-b px-6 pt-5 pr-12 pb-4">
          <DialogTitle>Subcluster These Cells</DialogTitle>
          <DialogDescription className="text-[13px]">
            Variable genes, components, clusters and a UMAP are computed from the raw counts of these cells
            alone. They become a dataset of yours; this one stays as it is.
          </DialogDescription>
        </header>
        <form
          noValidate
          className="flex min-h-0 flex-col"
          onSubmit={(event) => {
            event.preventDefault();
            if (!focusError(event.currentTarget)) submit();
          }}
        >
          <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 py-4">
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
          </div>
          <footer className="flex flex-col gap-3 border-t px-6 py-4">
            {start.isError && (
              <Alert variant="danger" role="alert">
                <span className="wrap-anywhere">{failureWords(start.error)}</span>
              </Alert>
            )}
            <div className="flex flex-wrap items-center justify-end gap-2">
              <p role="status" className="text-muted mr-auto min-w-40 flex-1 text-xs">
                {problem ?? 'Columns and your labels come along. Empty fields use the default shown.'}
              </p>
              <Button type="submit" size="sm" disabled={!ready}>
                {start.isPending && <Spinner />}
                Subcluster
              </Button>
            </div>
          </footer>
        </form>
      </DialogContent>
    </Dialog>
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
