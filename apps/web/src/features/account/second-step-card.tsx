import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { signInWays } from '@/features/auth/index.ts';
import { longDate } from '@/lib/long-date.ts';
import { useServices } from '@/lib/services.ts';
import { EnrolDialog } from './enrol-dialog.tsx';
import { ListStates } from './list-states.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useFactors, useRemoveFactor } from './use-factors.ts';

/** Authenticator apps that sign-in asks for after the password. */
export function SecondStepCard({ userId }: { userId: string }) {
  const { config } = useServices();
  const factors = useFactors(userId);
  const remove = useRemoveFactor(userId);
  const [enrolling, setEnrolling] = useState(false);
  const [asked, setAsked] = useState<{ id: string; name: string } | null>(null);
  const list = factors.data ?? [];
  const { authenticatorApps } = signInWays(config);
  if (!authenticatorApps && list.length === 0) return null;

  return (
    <SettingsCard
      title="Two-Step Sign-In"
      aside={
        factors.isSuccess && (list.length > 0 ? <Badge variant="success">On</Badge> : <Badge>Off</Badge>)
      }
      about="After the password, sign-in asks for a code of an authenticator app on your phone or computer."
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
                    onClick={() => setAsked({ id, name })}
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
        open={asked !== null}
        title={`Remove ${asked?.name ?? ''}?`}
        action="Remove"
        onClose={() => setAsked(null)}
        onAction={() => {
          if (asked === null) return;
          remove.mutate(asked.id, {
            onSuccess: () => toast.success('Authenticator app removed'),
            onError: (error) => toast.error('Error', { description: error.message }),
          });
        }}
      >
        {list.length === 1
          ? 'Sign-in will ask for your password alone.'
          : 'Its codes will no longer be taken. Your other apps go on working.'}
      </ConfirmQuestion>
    </SettingsCard>
  );
}
