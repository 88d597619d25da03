import { fileSize, maxDownloads } from '@cellfolio/contract';
import type { LinkedData, LinkPreview } from '@cellfolio/contract';
import { useState } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { plural, pluralWord } from '@/lib/format.ts';
import { FactList } from '../reports/processing-facts.tsx';
import type { ChosenData } from './link-calls.ts';

interface LinkedDatasetsProps {
  preview: LinkPreview;
  pending: boolean;
  onDownload: (chosen: ChosenData) => void;
}

export function LinkedDatasets({ preview, pending, onDownload }: LinkedDatasetsProps) {
  const { title, datasets, left, unreadable } = preview;
  const [only] = datasets;
  return (
    <section aria-label="Contents of the link" className="flex flex-col gap-3 rounded-md border p-4">
      <h3 className="text-sm font-semibold wrap-anywhere">{title}</h3>
      {only !== undefined && datasets.length === 1 ? (
        <OneDataset dataset={only} pending={pending} onDownload={onDownload} />
      ) : (
        <SeveralDatasets {...{ datasets, left, pending, onDownload }} />
      )}
      {unreadable.length > 0 && (
        <details className="text-xs">
          <summary className="text-muted cursor-pointer">
            {plural(unreadable.length, 'file')} that cannot be read
          </summary>
          <ul className="mt-1 flex max-h-40 flex-col gap-0.5 overflow-y-auto">
            {unreadable.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface OneDatasetProps {
  dataset: LinkedData;
  pending: boolean;
  onDownload: (chosen: ChosenData) => void;
}

function OneDataset({ dataset, pending, onDownload }: OneDatasetProps) {
  const [fileName, setFileName] = useState(dataset.file_name);
  const [description, setDescription] = useState(dataset.description);
  return (
    <form
      noValidate
      className="grid gap-4 md:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (pending || fileName.trim() === '') return;
        onDownload({
          datasets: [dataset.name],
          file_name: fileName.trim(),
          description: description.trim(),
        });
      }}
    >
      <div>
        <FactList
          facts={[
            ...(dataset.cells === null ? [] : [{ name: 'Cells', value: plural(dataset.cells, 'cell') }]),
            {
              name: pluralWord(dataset.files.length, 'File'),
              value: <FileNames files={dataset.files} />,
            },
            ...dataset.facts,
          ]}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Field label="File name" error={fileName.trim() === '' ? 'Give the file a name.' : undefined}>
          {(control) => (
            <Input
              {...control}
              required
              maxLength={200}
              autoComplete="off"
              value={fileName}
              onChange={({ target }) => setFileName(target.value)}
            />
          )}
        </Field>
        <Field label="Description" optional hint="Saved with the file.">
          {(control) => (
            <Textarea
              {...control}
              maxLength={20_000}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        <Button type="submit" disabled={pending || fileName.trim() === ''} className="self-start">
          {pending && <Spinner />}
          Download to your files
        </Button>
      </div>
    </form>
  );
}

function FileNames({ files }: Pick<LinkedData, 'files'>) {
  return files.map(({ name, bytes }) => (
    <span key={name} className="block">
      {bytes === null ? name : `${name}, ${fileSize(bytes)}`}
    </span>
  ));
}

type Fact = LinkedData['facts'][number];

interface SeveralDatasetsProps {
  datasets: readonly LinkedData[];
  left: number;
  pending: boolean;
  onDownload: (chosen: ChosenData) => void;
}

function SeveralDatasets({ datasets, left, pending, onDownload }: SeveralDatasetsProps) {
  const [checked, setChecked] = useState<string[]>([]);
  const chosen = datasets.filter(({ name }) => checked.includes(name));
  const bytes = chosen.reduce((sum, one) => sum + (one.bytes ?? Number.NaN), 0);
  const size = chosen.length === 0 || Number.isNaN(bytes) ? '' : ` (${fileSize(bytes)})`;
  const tooMany = chosen.length > maxDownloads;
  const { shared, differing } = comparedFacts(datasets);
  return (
    <div className="flex flex-col gap-3">
      {shared.length > 0 && (
        <p className="text-muted text-xs wrap-anywhere">All of them: {shared.map(factText).join(' · ')}</p>
      )}
      <CheckList
        legend={`${plural(datasets.length, 'dataset')} to choose from`}
        items={datasets.map((dataset) => ({
          value: dataset.name,
          label: labelOf(dataset),
          detail:
            dataset.facts
              .filter(({ name }) => differing.has(name))
              .map(factText)
              .join(' · ') || undefined,
          title: titleOf(dataset),
        }))}
        checked={checked}
        onChange={setChecked}
      >
        {left > 0 && <p className="text-muted text-xs">{plural(left, 'more dataset')} cannot be listed.</p>}
      </CheckList>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={pending || chosen.length === 0 || tooMany}
          onClick={() => onDownload({ datasets: chosen.map(({ name }) => name) })}
        >
          {pending && <Spinner />}
          {chosen.length === 0 ? 'Download' : `Download ${plural(chosen.length, 'dataset')}${size}`}
        </Button>
        <p role="status" className="text-muted text-xs">
          {tooMany
            ? `Choose at most ${maxDownloads} at a time.`
            : 'Each becomes one of your files. You can then combine samples into one dataset.'}
        </p>
      </div>
    </div>
  );
}

function comparedFacts(datasets: readonly LinkedData[]) {
  const inAll = (fact: Fact) =>
    datasets.every(({ facts }) => facts.some((one) => one.name === fact.name && one.value === fact.value));
  const shared = (datasets[0]?.facts ?? []).filter(inAll);
  const common = new Set(shared.map(({ name }) => name));
  const names = datasets.flatMap(({ facts }) => facts.map(({ name }) => name));
  return { shared, differing: new Set(names.filter((name) => !common.has(name))) };
}

function factText({ name, value }: Fact): string {
  return `${name}: ${value}`;
}

function labelOf({ name, cells, bytes, files }: LinkedData): string {
  const parts = [
    // As it is, it is what is asked for.
    name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' '),
    ...(cells === null ? [] : [plural(cells, 'cell')]),
    ...(bytes === null ? [] : [fileSize(bytes)]),
    ...(files.length > 1 ? [`${files.length} files`] : []),
  ];
  return parts.join(' · ');
}

function titleOf({ name, facts }: LinkedData): string {
  return [name, ...facts.map(factText)].join('\n');
}
