import { RefreshCw } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { useUserId } from '@/lib/services.ts';
import { fileStates, isOpenable } from '../file-state.ts';
import { CancelButton } from '../jobs/cancel-button.tsx';
import { StatusLine } from '../jobs/job-progress.tsx';
import { jobStage } from '../jobs/job-text.ts';
import { useOwnFiles } from '../jobs/own-files.ts';
import { useUserFiles } from '../user-files.ts';
import { ChangesList } from './changes-list.tsx';

const SettingsDialog = lazy(async () => ({
  default: (await import('./settings-dialog.tsx')).SettingsDialog,
}));

interface ProcessAgainProps {
  fileId: string;
  /**
   * What is said, and can be done, where the page shows another version than the one that is known here: instead of
   * what was changed, which would be read as that of the version that is shown. Falsy where it shows this one.
   */
  replaced: ReactNode;
}

/** Of a dataset that was built from a file: what was changed since the version before, and building it once more. */
export function ProcessAgain({ fileId, replaced }: ProcessAgainProps) {
  const userId = useUserId();
  const [open, setOpen] = useState(false);
  const { data: own } = useOwnFiles(userId);
  const file = useUserFiles(userId).data?.find(({ id }) => id === fileId);
  const state = own && fileStates(own).get(fileId);
  const report = state?.report;
  if (file === undefined || state === undefined || report?.kind !== 'h5ad') return null;
  const { dataset, building } = state;
  return (
    <div className="flex flex-col gap-2">
      {building === null && replaced}
      {!replaced && dataset?.made_with && dataset.made_before && (
        <ChangesList
          title="Changed since the version before"
          before={dataset.made_before}
          after={dataset.made_with}
        />
      )}
      {building !== null && (
        <div className="flex flex-col items-start gap-1">
          <StatusLine job={building}>
            <span role="status">A new version is being made: {jobStage(building)}</span>
          </StatusLine>
          <CancelButton job={building} />
        </div>
      )}
      {building === null && isOpenable(dataset) && dataset?.problem && (
        <p className="text-warning text-xs wrap-anywhere">
          No newer version was made: {dataset.problem.message}
        </p>
      )}
      {building === null && !replaced && (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setOpen(true)}>
          <RefreshCw aria-hidden />
          Process Again
        </Button>
      )}
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

/** The version of an upload's dataset that the server has, and when it said so; undefined where it is not known. */
export function useOwnVersion(fileId: string | undefined): { value: string | undefined; at: number } {
  const userId = useUserId();
  const { data, dataUpdatedAt } = useOwnFiles(userId, { enabled: fileId !== undefined && userId !== '' });
  const dataset = data?.files.find(({ file_id }) => file_id === fileId)?.dataset;
  return { value: dataset?.version ?? undefined, at: dataUpdatedAt };
}
