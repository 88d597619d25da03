import type { DatasetAnalysis } from '@cellfolio/contract';
import { minSubclusteringCells } from '@cellfolio/contract';
import { useState } from 'react';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { CellSetField, type ChosenSet, useSetCounts } from '@/features/cell-sets/index.ts';
import { failureWords, isSoundTyped, PartSettings, SettingFields } from '@/features/uploads/index.ts';
import { plural } from '@/lib/format.ts';
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
  name: string;
  analysis: DatasetAnalysis;
  cellsAtFirst: ChosenSet | undefined;
  onClose: () => void;
}

export function SubclusteringDialog({
  filename,
  name,
  analysis,
  cellsAtFirst,
  onClose,
}: SubclusteringDialogProps) {
  const [chosen, setChosen] = useState(cellsAtFirst);
  const dataset = { filename, version: analysis.version };
  const countOf = useSetCounts(dataset, chosen ? [chosen] : [], chosen !== undefined);
  const cells = chosen ? countOf(0) : analysis.cell_count;
  const suggested = `${name}, ${chosen?.name ?? 'subclustered'}`;
  const [form, setForm] = useState(() => emptyForm('', analysis));
  const start = useStartSubclustering(filename);
  const title = form.name.trim() || suggested;
  const problem =
    cells !== undefined && cells < minSubclusteringCells
      ? `${plural(cells, 'cell')}: at least ${minSubclusteringCells} are needed for a map.`
      : null;
  const ready = problem === null && isSoundTyped(form.typed, subclusteringSettings) && !start.isPending;
  const submit = () => {
    start.mutate(
      {
        name: title,
        cells: chosen ? { subset: { ...chosen.filter, subset_group_name: chosen.name } } : {},
        definition: chosen ? definitionOf(chosen) : 'all cells',
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
      description="Variable genes, components, clusters and a UMAP are computed from the raw counts of these cells only. They become a new dataset; this one does not change."
      className="lg:max-w-3xl"
      failure={start.isError ? failureWords(start.error) : undefined}
      note={
        problem ??
        `${cells === undefined ? '' : `${plural(cells, 'cell')}. `}Columns and your labels are copied. Empty fields use the default shown.`
      }
      submit={{ text: 'Subcluster', ready, pending: start.isPending }}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <CellSetField label="Cells" none="All cells" dataset={dataset} value={chosen} onChange={setChosen} />
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

function definitionOf({ name, words }: ChosenSet): string {
  if (words === '') return name;
  return words.includes(name) ? words : `${name} (${words})`;
}
