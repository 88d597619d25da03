import {
  type CellxgeneCheck,
  type CellxgeneChoices,
  cellxgeneSchema,
  curatedFields,
  type CuratedOrganism,
  curatedOrganisms,
  curationOf,
  isCuratedOrganism,
} from '@cellfolio/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { FormDialog } from '@/components/form-dialog.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { failureWords } from '@/features/uploads/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { plural } from '@/lib/format.ts';
import { useDraft } from '@/lib/use-draft.ts';
import { useSettled } from '@/lib/use-time.ts';
import { readChoices, useCellxgeneCheck, useMakeCellxgeneFile } from './cellxgene-calls.ts';
import type { CellxgenePanelProps } from './cellxgene-panel.tsx';
import { CuratedFieldRow, StateIcon } from './curated-field-row.tsx';

export function CellxgeneDialog({
  filename,
  datasetName,
  analysis,
  onClose,
}: CellxgenePanelProps & { onClose: () => void }) {
  const opened = `${filename}@${analysis.version}`;
  const [choices, setChoices] = useDraft<CellxgeneChoices>(
    `cellxgene:${opened}`,
    { fields: {} },
    readChoices,
  );
  const settled = useSettled(choices);
  const check = useCellxgeneCheck(opened, settled);
  const make = useMakeCellxgeneFile();
  const { data } = check;
  const isCurrent = settled === choices && !check.isFetching;
  const submit = () =>
    make.mutate(
      { ...choices, name: `${datasetName} for CELLxGENE` },
      {
        onSuccess: ({ name }) => {
          toast.success('File Started', {
            description: `The page Upload Data shows the progress of ${name}.`,
          });
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Check and Export for CELLxGENE Discover"
      description={`What version ${cellxgeneSchema} of its schema asks for, for all ${plural(analysis.cell_count, 'cell')} of the dataset. What you fill in stays in this tab; the dataset does not change.`}
      className="lg:max-w-4xl"
      failure={make.isError ? failureWords(make.error) : undefined}
      note={noteOf(data)}
      submit={{
        text: 'Make File',
        ready: data?.ready === true && isCurrent && !make.isPending,
        pending: make.isPending,
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <Field label="Title of the dataset">
          {(control) => (
            <Input
              {...control}
              className="h-8 text-[13px]"
              maxLength={300}
              autoComplete="off"
              placeholder={datasetName}
              value={choices.title ?? ''}
              onChange={({ target }) => setChoices({ ...choices, title: target.value || undefined })}
            />
          )}
        </Field>
        <OrganismField
          value={choices.organism ?? data?.organism.id ?? ''}
          onChange={(organism) => setChoices({ ...choices, organism })}
        />
      </div>
      {check.isError && (
        <p role="alert" className="text-danger text-xs">
          {`The dataset could not be checked: ${reasonOf(check.error)} `}
          <Button variant="link" size="inline" className="text-xs" onClick={() => void check.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {data === undefined && !check.isError && (
        <Skeleton className="h-40" aria-label="Checking the dataset" />
      )}
      {data !== undefined && (
        <Requirements
          check={data}
          choices={choices}
          dataset={{ filename, version: analysis.version }}
          onChange={setChoices}
        />
      )}
    </FormDialog>
  );
}

function Requirements({
  check,
  choices,
  dataset,
  onChange,
}: {
  check: CellxgeneCheck;
  choices: CellxgeneChoices;
  dataset: { filename: string; version: string };
  onChange: (choices: CellxgeneChoices) => void;
}) {
  const [openField, setOpenField] = useState<string>();
  return (
    <>
      <ul
        aria-label="What the schema asks for"
        className="divide-border divide-y rounded-md border text-[13px]"
      >
        {curatedFields.map((field) => (
          <CuratedFieldRow
            key={field.name}
            field={field}
            organism={check.organism.id ?? ''}
            check={check.fields.find(({ name }) => name === field.name)!}
            choice={curationOf(choices, field.name)}
            dataset={dataset}
            isOpen={openField === field.name}
            onToggle={() => setOpenField(openField === field.name ? undefined : field.name)}
            onChange={(choice) =>
              onChange({ ...choices, fields: { ...choices.fields, [field.name]: choice } })
            }
          />
        ))}
        {check.parts.map(({ part, text, isMissing }) => (
          <li key={part} className="flex items-start gap-2 px-3 py-2">
            <StateIcon isMissing={isMissing} />
            <span className="w-44 shrink-0 font-medium">{part}</span>
            <span className="text-muted min-w-0 flex-1 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
      <p className="text-muted text-xs">
        The file appears on the page{' '}
        <Link to="/upload-data" className="underline underline-offset-4">
          Upload Data
        </Link>
        . Columns that the portal writes itself (such as cell_type) and colors of categories are left out.
      </p>
    </>
  );
}

function noteOf(check: CellxgeneCheck | undefined): string {
  if (check === undefined) return '';
  const missing = [
    ...check.fields.filter(({ problems }) => problems > 0),
    ...check.parts.filter((one) => one.isMissing),
  ];
  if (missing.length > 0) return `${plural(missing.length, 'requirement')} not met yet.`;
  if (!check.ready) return 'Choose the organism.';
  return 'All requirements that are checked here are met. The portal’s own validation has the last word.';
}

function OrganismField({
  value,
  onChange,
}: {
  value: string;
  onChange: (organism: CuratedOrganism) => void;
}) {
  const isListed = isCuratedOrganism(value);
  return (
    <Field
      label="Organism"
      hint={
        value !== '' && !isListed
          ? `${value} cannot be prepared here: the genes of human and mouse are known.`
          : undefined
      }
    >
      {(control) => (
        <Select value={isListed ? value : ''} onValueChange={(next) => onChange(next as CuratedOrganism)}>
          <SelectTrigger {...control} data-size="sm">
            <SelectValue placeholder="Choose" />
          </SelectTrigger>
          <SelectContent>
            {[...curatedOrganisms].map(([id, name]) => (
              <SelectItem key={id} value={id}>
                {`${name[0]!.toUpperCase()}${name.slice(1)} (${id})`}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
