import type { UserIdentity } from '@supabase/auth-js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { authAnswer, callbackPage, signInWays } from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';
import { ListStates, SettingsCard } from './settings-card.tsx';

const failed = (error: Error) => toast.error('Error', { description: error.message });

/** Linked provider accounts; shown if the server has providers or the account has links. */
export function ConnectedAccountsCard({ userId }: { userId: string }) {
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
