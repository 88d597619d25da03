import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { CopyButton } from '@/components/copy-button.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { authAnswer, CodeForm, Failure, signInWays, SubmitButton } from '@/features/auth/index.ts';
import { longDate } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { ListStates, SettingsCard } from './settings-card.tsx';

export function SecondStepCard({ userId }: { userId: string }) {
  const { config } = useServices();
  const factors = useFactors(userId);
  const remove = useRemoveFactor(userId);
  const [enrolling, setEnrolling] = useState(false);
  const [factorToRemove, setFactorToRemove] = useState<{ id: string; name: string } | null>(null);
  const list = factors.data ?? [];
  const { authenticatorApps } = signInWays(config);
  if (!authenticatorApps && list.length === 0) return null;

  return (
    <SettingsCard
      title="Two-Step Sign-In"
      aside={
        factors.isSuccess && (list.length > 0 ? <Badge variant="success">On</Badge> : <Badge>Off</Badge>)
      }
      about="After the password, sign-in asks for a code from an authenticator app on your phone or computer."
    >
      {!factors.isSuccess ? (
        <ListStates query={factors} what="authenticator apps" />
      ) : (
        list.length > 0 && (
          <ul aria-label="Authenticator apps" className="divide-border divide-y border-y">
            {list.map(({ id, friendly_name = '', created_at }) => {
              const name = friendly_name === '' ? 'Authenticator app' : friendly_name;
              return (
                <li key={id} className="flex items-center gap-3 py-2">
                  <Smartphone aria-hidden className="text-muted size-4 shrink-0" />
                  <div className="min-w-0 flex-1">
                    <p className="font-medium wrap-anywhere">{name}</p>
                    <p className="text-muted text-xs">Added {longDate(created_at)}</p>
                  </div>
                  <Button
                    variant="danger"
                    size="sm"
                    aria-label={`Remove ${name}`}
                    onClick={() => setFactorToRemove({ id, name })}
                  >
                    Remove
                  </Button>
                </li>
              );
            })}
          </ul>
        )
      )}
      {authenticatorApps && factors.isSuccess && (
        <Button variant="secondary" className="self-start" onClick={() => setEnrolling(true)}>
          {list.length === 0 ? 'Set up two-step sign-in' : 'Add another app'}
        </Button>
      )}
      {enrolling && (
        <EnrolDialog
          userId={userId}
          taken={list.map(({ friendly_name = '' }) => friendly_name)}
          onClose={() => setEnrolling(false)}
        />
      )}
      <ConfirmQuestion
        open={factorToRemove !== null}
        title={`Remove ${factorToRemove?.name ?? ''}?`}
        action="Remove"
        onClose={() => setFactorToRemove(null)}
        onAction={() => {
          if (factorToRemove === null) return;
          remove.mutate(factorToRemove.id, {
            onSuccess: () => toast.success('Authenticator app removed'),
            onError: (error) => toast.error('Error', { description: error.message }),
          });
        }}
      >
        {list.length === 1
          ? 'Sign-in will ask for your password only.'
          : 'Its codes stop working. Your other apps keep working.'}
      </ConfirmQuestion>
    </SettingsCard>
  );
}

interface EnrolDialogProps {
  userId: string;
  taken: readonly string[];
  onClose: () => void;
}

function EnrolDialog({ userId, taken, onClose }: EnrolDialogProps) {
  const enrol = useEnrol();
  const finish = useFinishEnrolment(userId);
  const abandon = useRemoveFactor(userId);
  const begun = enrol.data;

  const close = () => {
    // Removes an unfinished setup, which would otherwise expire in a few minutes.
    if (begun !== undefined && !finish.isSuccess) abandon.mutate(begun.id);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(next) => !next && close()}>
      <DialogContent className="max-w-md overflow-y-auto">
        <DialogTitle>Set up two-step sign-in</DialogTitle>
        {begun === undefined ? (
          <NameForm {...{ enrol, taken }} />
        ) : (
          <>
            <DialogDescription>
              Scan this with the app, or type the secret into it. Then enter the six digits it shows.
            </DialogDescription>
            <AppSecret totp={begun.totp} />
            <CodeForm
              focused
              codeLabel="Code from the app"
              label="Turn on"
              busyLabel="Checking..."
              busy={finish.isPending}
              error={finish.error?.message}
              onSubmit={(code) =>
                finish.mutate(
                  { factorId: begun.id, code },
                  {
                    onSuccess: () => {
                      toast.success('Two-step sign-in is on', {
                        description: 'From now on, sign-in asks for a code from this app.',
                      });
                      onClose();
                    },
                  },
                )
              }
            />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function NameForm({ enrol, taken }: { enrol: ReturnType<typeof useEnrol>; taken: readonly string[] }) {
  const [name, setName] = useState(() => freeName(taken));
  return (
    <>
      <DialogDescription>
        You need an authenticator app that shows one-time codes, on your phone or in your password manager.
      </DialogDescription>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!enrol.isPending && name.trim() !== '') enrol.mutate(name.trim());
        }}
      >
        <Field label="Name" hint="Shown in the list of your apps.">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {enrol.error !== null && <Failure>{enrol.error.message}</Failure>}
        <SubmitButton
          busy={enrol.isPending}
          label="Continue"
          busyLabel="Preparing..."
          className="self-start"
        />
      </form>
    </>
  );
}

function AppSecret({ totp: { qr_code, secret } }: { totp: { qr_code: string; secret: string } }) {
  return (
    <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
      <img
        src={qr_code}
        alt="QR code for your authenticator app"
        className="bg-figure size-44 shrink-0 rounded-md border"
      />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <p id="totp-secret" className="text-sm font-medium">
          Secret
        </p>
        <code aria-labelledby="totp-secret" className="bg-surface-2 rounded px-2 py-1 text-[13px] break-all">
          {secret}
        </code>
        <CopyButton text={() => secret} label="Copy secret" />
      </div>
    </div>
  );
}

/** A name not in use: the service requires unique names. */
function freeName(usedNames: readonly string[]): string {
  const base = 'Authenticator app';
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`;
    if (!usedNames.includes(name)) return name;
  }
}

const factorsKey = (userId: string) => ['factors', userId] as const;

function useFactors(userId: string) {
  const { auth } = useServices();
  return useQuery({
    queryKey: factorsKey(userId),
    queryFn: async () => {
      const { all } = await authAnswer(() => auth.mfa.listFactors());
      return all.filter(({ status }) => status === 'verified');
    },
  });
}

function useEnrol() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async (friendlyName: string) => {
      // An abandoned setup (a closed tab) would block the name for a few minutes.
      const { all } = await authAnswer(() => auth.mfa.listFactors());
      for (const { id, status, friendly_name } of all) {
        if (status === 'unverified' && friendly_name === friendlyName) {
          await authAnswer(() => auth.mfa.unenroll({ factorId: id }));
        }
      }
      return authAnswer(() => auth.mfa.enroll({ factorType: 'totp', friendlyName }));
    },
  });
}

function useFinishEnrolment(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ factorId, code }: { factorId: string; code: string }) =>
      authAnswer(() => auth.mfa.challengeAndVerify({ factorId, code })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsKey(userId) }),
  });
}

function useRemoveFactor(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (factorId: string) => {
      await authAnswer(() => auth.mfa.unenroll({ factorId }));
      // The session still names the removed factor and would ask for it.
      await authAnswer(() => auth.refreshSession());
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: factorsKey(userId) }),
  });
}
