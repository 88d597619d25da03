import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '@/components/ui/toast.ts';
import { useSubscription } from '@/features/billing/index.ts';
import { isTrialExpired } from '@/lib/call-failure.ts';
import { trialExpiredText } from '@/lib/trial-length.ts';

/**
 * Sends whoever's trial is over to the plans, with a notice: found on load, or said by the server in answer to a call
 * later on.
 * @returns whether the trial is over
 */
export function useTrialRedirect(): boolean {
  const subscription = useSubscription();
  const refused = useRefusedForTrial();
  const navigate = useNavigate();
  const expired = subscription.trialExpired || refused;
  useEffect(() => {
    if (!expired) return;
    toast.error('Free Trial Expired', {
      // Two effects of one refusal are one notice.
      id: 'trial-expired',
      description: trialExpiredText(),
    });
    void navigate('/pricing?trial_expired=true', { replace: true });
  }, [expired, navigate]);
  return expired;
}

/** Whether any call of this page was refused because the trial is over. */
function useRefusedForTrial(): boolean {
  const client = useQueryClient();
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const look = (error: unknown) => isTrialExpired(error) && setRefused(true);
    const stops = [
      client.getQueryCache().subscribe(({ query }) => look(query.state.error)),
      client.getMutationCache().subscribe(({ mutation }) => look(mutation?.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  return refused;
}
