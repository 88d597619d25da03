import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Failure, SubmitButton } from '@/features/auth/index.ts';
import { longDate } from '@/lib/long-date.ts';
import { relativeTime } from '@/lib/relative-time.ts';
import { useNow } from '@/lib/use-now.ts';
import { ListStates } from './list-states.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { SettingsCard } from './settings-card.tsx';
import type { ApiKey } from './use-api-keys.ts';
import { useApiKeys, useCreateApiKey, useRevokeApiKey } from './use-api-keys.ts';

/** Personal keys, with which scripts call the analyses in the user's name. */
export function ApiKeysCard({ userId }: { userId: string }) {
  const keys = useApiKeys(userId);
  const create = useCreateApiKey(userId);
  const revoke = useRevokeApiKey(userId);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <SettingsCard
      title="API Keys"
      about={
        <>
          For scripts: a key calls every analysis in your name, with the one header{' '}
          <code className="text-foreground text-xs">X-API-Key</code>. Treat it as a password.
        </>
      }
    >
      {!keys.isSuccess ? (
        <ListStates query={keys} what="API keys" />
      ) : keys.data.length === 0 ? (
        <p className="text-muted text-[13px]">No API keys yet. Name one below to make it.</p>
      ) : (
        <ul aria-label="API keys" className="divide-border divide-y border-y">
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
          ))}
        </ul>
      )}
      <form
        noValidate
        className="flex max-w-md flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (create.isPending) return;
          const found = name.trim() === '' ? 'Please name the key' : undefined;
          setProblem(found);
          if (found !== undefined) input.current?.focus();
          else create.mutate(name.trim(), { onSuccess: () => setName('') });
        }}
      >
        <Field label="Name of the new key" error={problem}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              required
              maxLength={100}
              placeholder="Lab notebook"
              autoComplete="off"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
          )}
        </Field>
        {create.error !== null && <Failure>{create.error.message}</Failure>}
        <SubmitButton
          busy={create.isPending}
          label="Create key"
          busyLabel="Creating..."
          className="self-start"
          variant="secondary"
        />
      </form>
      {create.data !== undefined && <NewKeyDialog apiKey={create.data} onClose={() => create.reset()} />}
      <ConfirmQuestion
        open={asked !== null}
        title={`Revoke ${asked?.name ?? ''}?`}
        action="Revoke"
        onClose={() => setAsked(null)}
        onAction={() => {
          if (asked === null) return;
          revoke.mutate(asked.id, {
            onSuccess: () => toast.success('API key revoked'),
            onError: (error) => toast.error('Error', { description: error.message }),
          });
        }}
      >
        Scripts that use it stop working at once. This cannot be undone.
      </ConfirmQuestion>
    </SettingsCard>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const now = useNow(60_000);
  const { name, prefix, created_at, last_used_at } = apiKey;
  return (
    <li className="flex items-center gap-3 py-2">
      <KeyRound aria-hidden className="text-muted size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
          <code>{prefix}…</code>
          <span>Made {longDate(created_at)}</span>
          <span>
            {last_used_at === null
              ? 'Never used'
              : `Last used ${relativeTime(Date.parse(last_used_at), now).toLowerCase()}`}
          </span>
        </p>
      </div>
      <Button variant="danger" size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
