import { CircleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { trialExpiredText } from '@/lib/trial-length.ts';

const nothing = () => () => {};

/** Only where the address says so; never in the page as it was rendered beforehand, which knows no address. */
export function TrialExpired() {
  const [params] = useSearchParams();
  const here = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  if (!here || params.get('trial_expired') !== 'true') return null;
  return (
    <div className="mx-auto w-full max-w-6xl px-5 pt-6 md:px-8">
      <Alert variant="danger" role="alert" className="px-4 py-3 text-[15px] font-medium">
        <CircleAlert aria-hidden />
        {trialExpiredText()}
      </Alert>
    </div>
  );
}
