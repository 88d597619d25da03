import {
  isPackedTar,
  type LinkPreview,
  type Job,
  fileSize,
  maxDownloads,
  type LinkedData,
  jobsAnswer,
  linkPreview,
  type DownloadRequest,
} from '@cellfolio/contract';
import { useState } from 'react';
import { X } from 'lucide-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field, Input, Textarea } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import { useNow } from '@/lib/use-time.ts';
import { CheckList } from '@/components/check-list.tsx';
import { useServices } from '@/lib/services.ts';
import { failureWords, useCancelJob } from '../jobs/job-calls.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { jobStage } from '../jobs/job-text.ts';
import { isActive, useOwnFiles } from '../jobs/own-files.ts';
import { FactList } from '../reports/processing-facts.tsx';
import { ownFilesKey } from '../user-files.ts';

export function LinkRow({ userId, allowed }: { userId: string; allowed: boolean }) {
  const [link, setLink] = useState('');
  const look = useLookAtLink();
  const download = useStartDownloads(userId);
  const looked = look.data !== undefined && look.variables === link.trim() ? look.data : undefined;
  // As long as a download takes.
  const isLong = look.isPending && isPackedTar(URL.parse(look.variables)?.pathname ?? '');
  const start = (chosen: ChosenData) => {
    download.mutate(
      { link: link.trim(), ...chosen },
      {
        onSuccess: (jobs) => {
          toast.success('Download Started', {
            description: `${plural(jobs.length, 'dataset')} of the link will be added to your files.`,
          });
          setLink('');
          look.reset();
        },
      },
    );
  };
  return (
    <section aria-label="Fetch from a Link" className="flex flex-col gap-3 border-t pt-3">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (allowed && !look.isPending && link.trim() !== '') look.mutate(link.trim());
        }}
      >
        <Field
          label="Paste a link"
          hint="CELLxGENE collection or dataset, GEO accession or page, or the https address of a file or archive (.tar, .tar.gz). The server downloads it."
          error={look.isError && look.variables === link.trim() ? failureWords(look.error) : undefined}
        >
          {(control) => (
            <div className="flex flex-wrap gap-2 sm:flex-nowrap">
              <Input
                {...control}
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                maxLength={4000}
                placeholder="https://cellxgene.cziscience.com/collections/… or GSE123456"
                disabled={!allowed}
                value={link}
                onChange={({ target }) => setLink(target.value)}
              />
              <Button
                type="submit"
                variant="secondary"
                className="shrink-0"
                disabled={!allowed || look.isPending || link.trim() === ''}
              >
                {look.isPending && <Spinner />}
                Show contents
              </Button>
            </div>
          )}
        </Field>
        <p role="status" className={isLong ? 'text-muted mt-2 text-xs' : 'sr-only'}>
          {look.isPending
            ? isLong
              ? 'The server has to read the whole archive to list its contents.'
              : 'Reading the link.'
            : looked && previewText(looked)}
        </p>
      </form>
      {download.isError && (
        <Alert variant="danger" role="alert">
          <span className="wrap-anywhere">{failureWords(download.error)}</span>
        </Alert>
      )}
      {looked !== undefined && (
        <LinkedDatasets key={link} preview={looked} pending={download.isPending} onDownload={start} />
      )}
      <DownloadList userId={userId} />
    </section>
  );
}

function previewText({ title, datasets, left }: LinkPreview): string {
  return `${title}: ${plural(datasets.length + left, 'dataset')}.`;
}

/** Milliseconds for which a download without a result is listed here; it stays among the finished jobs. */
const shownForMs = 15 * 60_000;

function DownloadList({ userId }: { userId: string }) {
  const { data } = useOwnFiles(userId);
  const cancel = useCancelJob(userId);
  const now = useNow(60_000);
  const downloads = (data?.jobs ?? []).filter(({ kind }) => kind === 'download');
  const shown = downloads.filter((job) => isActive(job) || isRecentFailure(job, downloads, now));
  // A user's downloads go one after the other.
  const waitsForAnother = (job: Job) =>
    job.state === 'queued' && downloads.some(({ state }) => state === 'running');
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Downloads" className="divide-border divide-y rounded-md border">
      {shown.map((job) => (
        <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[13px]">
          <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={job.name}>
            {job.name}
          </span>
          <span
            className={job.state === 'failed' ? 'text-danger text-xs wrap-anywhere' : 'text-muted text-xs'}
          >
            {job.problem?.message ??
              (waitsForAnother(job) ? 'Waiting for the other download' : jobStage(job))}
          </span>
          {isActive(job) && (
            <>
              <JobProgress job={job} className="text-muted w-40" />
              <Button
                variant="ghost"
                size="xs"
                aria-label={`Cancel the download of ${job.name}`}
                disabled={cancel.isPending && cancel.variables === job.id}
                onClick={() => cancel.mutate(job.id)}
              >
                <X aria-hidden />
                Cancel
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function isRecentFailure(job: Job, downloads: readonly Job[], now: number): boolean {
  if (job.state === 'done' || now - Date.parse(job.finished_at ?? '') > shownForMs) return false;
  return !downloads.some(
    ({ name, created_at: at }) => name === job.name && Date.parse(at) > Date.parse(job.created_at),
  );
}

interface LinkedDatasetsProps {
  preview: LinkPreview;
  pending: boolean;
  onDownload: (chosen: ChosenData) => void;
}

function LinkedDatasets({ preview, pending, onDownload }: LinkedDatasetsProps) {
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

function useLookAtLink() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (link: string): Promise<LinkPreview> =>
      api({ path: '/api/linked-data', body: { link }, answer: linkPreview }),
  });
}

type ChosenData = Omit<DownloadRequest, 'link'>;

function useStartDownloads(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: DownloadRequest) =>
      (await api({ path: '/api/downloads', body, answer: jobsAnswer })).jobs,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}
