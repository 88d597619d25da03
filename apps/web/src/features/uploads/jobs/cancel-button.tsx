import type { Job } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { useSession } from '@/lib/services.ts';
import { useCancelJob } from './job-calls.ts';

/** Cancels a job of the user. */
export function CancelButton({ job }: { job: Pick<Job, 'id'> }) {
  const session = useSession();
  const cancel = useCancelJob(session.status === 'signed-in' ? session.user.id : '');
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
