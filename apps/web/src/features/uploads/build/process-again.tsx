import type { BuildRequest, CopiedRecord, UserFileList } from '@cellfolio/contract';
import { CornerLeftUp, RefreshCw } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { useUserId } from '@/lib/services.ts';
import { type FileState, fileStates, isOpenable } from '../file-state.ts';
import { JobEntry } from '../jobs/job-entry.tsx';
import { CancelButton, StatusLine } from '../jobs/job-progress.tsx';
import { jobStage } from '../jobs/job-text.ts';
import { isActive, useOwnFiles } from '../jobs/own-files.ts';
import { customFilePath, type UserFile, useUserFiles } from '../user-files.ts';
import { ChangesList } from './changes-list.tsx';

const SettingsDialog = lazy(async () => ({
  default: (await import('./settings-dialog.tsx')).SettingsDialog,
}));

interface ProcessAgainProps {
  fileId: string;
  /**
   * Message and actions shown instead of the list of changes if the page shows another version than the cached one: the
   * changes would be read as those of the version shown. Falsy if the versions agree.
   */
  replaced: ReactNode;
}

export function ProcessAgain({ fileId, replaced }: ProcessAgainProps) {
  const userId = useUserId();
  const [open, setOpen] = useState(false);
  const { data: own } = useOwnFiles(userId);
  const file = useUserFiles(userId).data?.find(({ id }) => id === fileId);
  const states = own && fileStates(own);
  const state = states?.get(fileId);
  const report = state?.report;
  if (file === undefined || own === undefined || states === undefined) return null;
  if (state === undefined || report?.kind !== 'h5ad') return null;
  const { dataset, building, copyOf } = state;
  return (
    <div className="flex flex-col gap-2">
      {copyOf && <CopyOf copyOf={copyOf} made={dataset?.made_with ?? null} />}
      {building === null && replaced}
      {!replaced && dataset?.made_with && dataset.made_before && (
        <ChangesList
          title="Changes since the previous version"
          before={dataset.made_before}
          after={dataset.made_with}
        />
      )}
      {building !== null && (
        <div className="flex flex-col items-start gap-1">
          <StatusLine job={building}>
            <span role="status">Building a new version: {jobStage(building)}</span>
          </StatusLine>
          <CancelButton job={building} />
        </div>
      )}
      {building === null && isOpenable(dataset) && dataset?.problem && (
        <p className="text-warning text-xs wrap-anywhere">
          The new version could not be built: {dataset.problem.message}
        </p>
      )}
      {building === null && !replaced && (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setOpen(true)}>
          <RefreshCw aria-hidden />
          Process Again
        </Button>
      )}
      <Copies {...{ fileId, own, states }} />
      {open && (
        <Suspense>
          <SettingsDialog
            userId={userId}
            file={file}
            report={report}
            state={state}
            allowed
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function CopyOf({ copyOf, made }: { copyOf: CopiedRecord; made: BuildRequest | null }) {
  const source = useUserFiles(useUserId()).data?.find(({ id }) => id === copyOf.file_id);
  return (
    <>
      <p className="flex gap-1.5 text-[13px]">
        <CornerLeftUp aria-hidden className="text-muted mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          Processed again from {source ? <DatasetLink file={source} /> : <b>{copyOf.name}</b>}
          {source === undefined && ', which has since been deleted'}.
        </span>
      </p>
      {copyOf.made_with && made && (
        <ChangesList title={`Changed from ${copyOf.name}`} before={copyOf.made_with} after={made} />
      )}
    </>
  );
}

interface CopiesProps {
  fileId: string;
  own: UserFileList;
  states: ReturnType<typeof fileStates>;
}

function Copies({ fileId, own, states }: CopiesProps) {
  const id = useId();
  const { data: rows = [], refetch } = useUserFiles(useUserId());
  const listedIds = new Set(rows.map((row) => row.id));
  const isNew = own.files.some(
    ({ file_id, copy_of: of }) => of?.file_id === fileId && !listedIds.has(file_id),
  );
  // A copy that was made since the files were listed.
  useEffect(() => {
    if (isNew) void refetch();
  }, [isNew, refetch]);
  const copies = rows.filter((row) => states.get(row.id)?.copyOf?.file_id === fileId);
  const ofThis = own.jobs.filter(({ kind, file_ids: ids }) => kind === 'copy' && ids.includes(fileId));
  // The latest says what became of the last order.
  const jobs = ofThis.filter((job, place) => isActive(job) || (place === 0 && job.state === 'failed'));
  if (copies.length + jobs.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 id={id} className="text-[13px] font-semibold">
        Datasets built from a copy of this file
      </h3>
      <ul aria-labelledby={id} className="divide-border divide-y rounded-md border text-[13px]">
        {jobs.map((job) => (
          <JobEntry key={job.id} job={job} />
        ))}
        {copies.map((file) => (
          <Copy key={file.id} file={file} state={states.get(file.id)} />
        ))}
      </ul>
    </section>
  );
}

function Copy({ file, state }: { file: UserFile; state: FileState | undefined }) {
  const { dataset = null, building = null } = state ?? {};
  const problem = state?.problem ?? dataset?.problem;
  return (
    <li className="flex flex-col gap-0.5 px-2.5 py-2">
      {isOpenable(dataset) ? (
        <DatasetLink file={file} />
      ) : (
        <span className="font-medium wrap-anywhere">{file.file_name}</span>
      )}
      {building !== null && (
        <StatusLine job={building}>
          <span role="status">{jobStage(building)}</span>
        </StatusLine>
      )}
      {building === null && problem && (
        <span className="text-danger text-xs wrap-anywhere">{problem.message}</span>
      )}
    </li>
  );
}

function DatasetLink({ file }: { file: UserFile }) {
  return (
    <Link
      to={customFilePath(file)}
      className="rounded font-medium wrap-anywhere underline underline-offset-4"
    >
      {file.file_name}
    </Link>
  );
}

/** The server's version of an upload's dataset, and when it was received; undefined if unknown. */
export function useOwnVersion(fileId: string | undefined): { value: string | undefined; at: number } {
  const userId = useUserId();
  const { data, dataUpdatedAt } = useOwnFiles(userId, { enabled: fileId !== undefined && userId !== '' });
  const dataset = data?.files.find(({ file_id }) => file_id === fileId)?.dataset;
  return { value: dataset?.version ?? undefined, at: dataUpdatedAt };
}
