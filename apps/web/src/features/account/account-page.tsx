import { Link } from 'react-router';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ExternalLink } from 'lucide-react';
import type { UserIdentity } from '@supabase/auth-js';
import { whenStarted } from '@/components/when-started.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import {
  authAnswer,
  checkNewPassword,
  newPasswordFields,
  PasswordForm,
  type NewPassword,
  callbackPage,
  signInWays,
} from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';
import { Alert } from '@/components/ui/alert.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import {
  subscriptionKey,
  useCustomerPortal,
  useSubscription,
  type Subscription,
} from '@/features/billing/index.ts';
import { longDate } from '@/lib/format.ts';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { DeleteAccountCard, DownloadDataCard } from './account-data-cards.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { ConnectedAppsCard } from './connected-apps-card.tsx';
import { ToolCallsCard } from './tool-calls-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SettingsCard, ListStates } from './settings-card.tsx';

const links = [
  { to: '/dataset-selector', label: 'Dataset Selector' },
  { to: '/upload-data', label: 'Upload Data' },
] as const;

function AccountPage() {
  return (
    <SignedInPage
      title="Account Settings"
      lead={(user) => user?.email}
      links={links}
      aside={
        <Link to="/contact" className="text-accent rounded text-[13px] underline-offset-4 hover:underline">
          Contact us
        </Link>
      }
      className="max-w-2xl"
    >
      {({ id, email }) => (
        <>
          <ErrorBoundary region="The subscription">
            <SubscriptionCard />
          </ErrorBoundary>
          <ErrorBoundary region="Change Password">
            <ChangePasswordCard email={email} />
          </ErrorBoundary>
          <ErrorBoundary region="Two-step sign-in">
            <SecondStepCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of connected accounts">
            <ConnectedAccountsCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of API keys">
            <ApiKeysCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of connected apps">
            <ConnectedAppsCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="The list of tool calls">
            <ToolCallsCard userId={id} />
          </ErrorBoundary>
          <ErrorBoundary region="Sessions">
            <SessionsCard />
          </ErrorBoundary>
          <ErrorBoundary region="Your data">
            <DownloadDataCard />
          </ErrorBoundary>
          <ErrorBoundary region="Delete account">
            <DeleteAccountCard userId={id} email={email} />
          </ErrorBoundary>
        </>
      )}
    </SignedInPage>
  );
}

export const Component = whenStarted(AccountPage);

function SessionsCard() {
  const { auth } = useServices();
  const signOut = useMutation({
    mutationFn: (scope: 'global' | 'others') =>
      authAnswer(async () => ({ data: null, error: (await auth.signOut({ scope })).error })),
    onSuccess: (_data, scope) => {
      toast.success(
        scope === 'others' ? 'Your other devices are signed out' : 'You are signed out everywhere',
      );
    },
    onError: (error) => toast.error('Error', { description: error.message }),
  });
  return (
    <SettingsCard
      title="Sessions"
      about="Lost a device, or used a shared computer? End the sessions you left open. API keys and connected apps keep working."
    >
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" disabled={signOut.isPending} onClick={() => signOut.mutate('others')}>
          Sign out other devices
        </Button>
        <Button variant="secondary" disabled={signOut.isPending} onClick={() => signOut.mutate('global')}>
          Sign out everywhere
        </Button>
      </div>
    </SettingsCard>
  );
}

function ChangePasswordCard({ email }: { email: string }) {
  const { auth } = useServices();
  const [round, setRound] = useState(0);
  const update = useMutation({
    mutationFn: (password: string) => authAnswer(() => auth.updateUser({ password })),
    onSuccess: () => {
      toast.success('Password updated successfully!');
      setRound((last) => last + 1);
    },
    onError: (error) => toast.error('Error', { description: error.message }),
  });
  return (
    <SettingsCard title="Change Password" about="A new password signs you out on your other devices.">
      <div className="max-w-sm">
        {/* Tells password managers the account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordForm
          key={round}
          fields={passwordChangeFields}
          check={checkPasswordChange}
          onSubmit={({ newPassword }) => update.mutate(newPassword)}
          busy={update.isPending}
          buttonClassName="self-start"
        />
      </div>
    </SettingsCard>
  );
}

interface PasswordChange extends NewPassword {
  currentPassword: string;
}

const passwordChangeFields = [
  { name: 'currentPassword', label: 'Current Password', autoComplete: 'current-password' },
  ...newPasswordFields,
] as const;

function checkPasswordChange(change: PasswordChange): Partial<PasswordChange> {
  const problems = checkNewPassword(change);
  return change.currentPassword === ''
    ? { ...problems, currentPassword: 'Current password is required' }
    : problems;
}

function SubscriptionCard() {
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
              canceling.
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

const failed = (error: Error) => toast.error('Error', { description: error.message });

/** Linked provider accounts; shown if the server has providers or the account has links. */
function ConnectedAccountsCard({ userId }: { userId: string }) {
  const { config } = useServices();
  const { providers } = signInWays(config);
  const identities = useIdentities(userId);
  const link = useLinkIdentity();
  const unlink = useUnlinkIdentity(userId);
  const [identityToDisconnect, setIdentityToDisconnect] = useState<UserIdentity | null>(null);
  const all = identities.data ?? [];
  const elsewhere = all.filter(({ provider }) => provider !== 'email' && provider !== 'phone');
  if (providers.length === 0 && elsewhere.length === 0) return null;

  const labelOf = (provider: string) => providers.find(({ name }) => name === provider)?.label ?? provider;
  const open = providers.filter(({ name }) => !elsewhere.some(({ provider }) => provider === name));
  const leaving = link.isPending || link.isSuccess;
  return (
    <SettingsCard
      title="Connected Accounts"
      about="Accounts of other services that sign you in here, besides your password."
    >
      {!identities.isSuccess ? (
        <ListStates query={identities} what="connected accounts" />
      ) : (
        <ul aria-label="Connected accounts" className="divide-border divide-y border-y">
          {elsewhere.map((identity) => (
            <Row key={identity.identity_id} name={labelOf(identity.provider)} detail={accountName(identity)}>
              {all.length > 1 ? (
                <Button
                  variant="danger"
                  size="sm"
                  aria-label={`Disconnect ${labelOf(identity.provider)}`}
                  onClick={() => setIdentityToDisconnect(identity)}
                >
                  Disconnect
                </Button>
              ) : (
                <span className="text-muted text-xs">Your only way to sign in</span>
              )}
            </Row>
          ))}
          {open.map(({ name, label }) => (
            <Row key={name} name={label} detail="Not connected">
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Connect ${label}`}
                disabled={leaving}
                onClick={() => link.mutate(name, { onError: failed })}
              >
                {leaving && link.variables === name && <Spinner />}
                Connect
              </Button>
            </Row>
          ))}
        </ul>
      )}
      <ConfirmQuestion
        open={identityToDisconnect !== null}
        title={`Disconnect ${identityToDisconnect === null ? '' : labelOf(identityToDisconnect.provider)}?`}
        action="Disconnect"
        onClose={() => setIdentityToDisconnect(null)}
        onAction={() => {
          if (identityToDisconnect === null) return;
          unlink.mutate(identityToDisconnect, {
            onSuccess: () => toast.success('Account disconnected'),
            onError: failed,
          });
        }}
      >
        You can no longer sign in with it. You can connect it again later.
      </ConfirmQuestion>
    </SettingsCard>
  );
}

function Row({ name, detail, children }: { name: string; detail: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted text-xs wrap-anywhere">{detail}</p>
      </div>
      {children}
    </li>
  );
}

function accountName({ identity_data = {} }: UserIdentity): string {
  const fields = new Map<string, unknown>(Object.entries(identity_data));
  for (const key of ['email', 'user_name', 'preferred_username', 'name']) {
    const value = fields.get(key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return 'Connected';
}

const identitiesKey = (userId: string) => ['identities', userId] as const;

function useIdentities(userId: string) {
  const { auth } = useServices();
  return useQuery({
    queryKey: identitiesKey(userId),
    queryFn: async () => (await authAnswer(() => auth.getUserIdentities())).identities,
  });
}

function useLinkIdentity() {
  const { auth, providerAuth } = useServices();
  return useMutation({
    mutationFn: async (name: string) => {
      const { session } = await authAnswer(() => auth.getSession());
      if (session === null) throw new Error('The session has ended. Sign in again.');
      const away = providerAuth();
      await authAnswer(() => away.setSession(session));
      await authAnswer(() =>
        // The names are the operator's; the client knows those of a hosted project only.
        away.linkIdentity({ provider: name as 'github', options: { redirectTo: callbackPage('/account') } }),
      );
    },
  });
}

function useUnlinkIdentity(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (identity: UserIdentity) => authAnswer(() => auth.unlinkIdentity(identity)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: identitiesKey(userId) }),
  });
}
