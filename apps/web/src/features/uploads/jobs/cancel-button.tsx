import type { Job } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { useUserId } from '@/lib/services.ts';
import { useCancelJob } from './job-calls.ts';

/** Cancels a job of the user. */
export function CancelButton({ job }: { job: Pick<Job, 'id'> }) {
  const cancel = useCancelJob(useUserId());
  return (
    <Button
      variant="secondary"
      size="xs"
      className="self-start"
      disabled={cancel.isPending}
      onClick={() => cancel.mutate(job.id)}
    >
      Cancel
    </Button>
  );
}
