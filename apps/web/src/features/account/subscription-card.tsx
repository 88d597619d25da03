import { ExternalLink } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { subscriptionKey, useCustomerPortal, useSubscription } from '@/features/billing/index.ts';
import type { Subscription } from '@/features/billing/index.ts';
import { longDate } from '@/lib/format.ts';
import { SettingsCard } from './settings-card.tsx';

export function SubscriptionCard() {
  const subscription = useSubscription();
  const portal = useCustomerPortal();
  const queryClient = useQueryClient();
  const { subscribed, subscription_end, loading, failed, trialExpired, trialEnd } = subscription;
  return (
    <SettingsCard
      title="Subscription Management"
      aside={
        loading ? (
          <Skeleton className="h-5.5 w-20 rounded-full" />
        ) : (
          !failed && <PlanBadge subscription={subscription} />
        )
      }
    >
      {failed ? (
        <div className="flex flex-col items-start gap-3">
          <Alert variant="danger">Unable to verify subscription status.</Alert>
          <Button
            variant="secondary"
            size="sm"
            onClick={() => void queryClient.refetchQueries({ queryKey: subscriptionKey })}
          >
            Try again
          </Button>
        </div>
      ) : loading ? (
        <div className="flex flex-col gap-4" role="status" aria-label="Loading the subscription">
          <Skeleton className="h-5 w-56" />
          <Skeleton className="h-9 w-40" />
        </div>
      ) : subscribed ? (
        <>
          <dl className="flex gap-2 text-sm">
            <dt className="text-muted">Next Billing</dt>
            <dd className="font-medium tabular-nums">
              {subscription_end === null ? 'N/A' : longDate(subscription_end)}
            </dd>
          </dl>
          <div className="flex flex-col items-start gap-2">
            <Button onClick={portal.open} aria-disabled={portal.opening}>
              <ExternalLink aria-hidden />
              Manage Subscription
            </Button>
            <p className="text-muted text-[13px]">
              Opens the customer portal in a new tab, for updating payment methods, downloading invoices or
              cancelling.
            </p>
          </div>
        </>
      ) : (
        <div className="flex flex-col items-start gap-3">
          {trialEnd !== null && (
            <dl className="flex gap-2 text-sm">
              <dt className="text-muted">{trialExpired ? 'Free Trial Ended' : 'Free Trial Ends'}</dt>
              <dd className="font-medium tabular-nums">{longDate(trialEnd)}</dd>
            </dl>
          )}
          <p className="text-muted text-[13px]">
            {trialExpired
              ? 'Your free trial has ended. Choose a plan to open the explorer again.'
              : 'A paid plan starts when your trial ends.'}
          </p>
          <Button asChild>
            <Link to="/pricing">Upgrade Plan</Link>
          </Button>
        </div>
      )}
    </SettingsCard>
  );
}

function PlanBadge({ subscription: { subscribed, subscription_tier } }: { subscription: Subscription }) {
  if (!subscribed) return <Badge>Free Trial</Badge>;
  if (subscription_tier === null) return <Badge>Active</Badge>;
  return (
    <Badge variant={subscription_tier === 'Professional' ? 'purple' : 'blue'}>{subscription_tier}</Badge>
  );
}
