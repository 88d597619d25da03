import { type KeyScope, keyScopeNames, usualScopes } from '@cellfolio/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { CopyButton } from '@/components/copy-button.tsx';
import { ScopeBoxes, scopeTitles } from '@/components/scope-boxes.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from '@/components/ui/dialog.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Failure, SubmitButton } from '@/features/auth/index.ts';
import { longDate, relativeTime } from '@/lib/format.ts';
import { tableFailure } from '@/lib/refusal-reason.ts';
import { useServices } from '@/lib/services.ts';
import { useNow } from '@/lib/use-time.ts';

import { ListStates, SettingsCard } from './settings-card.tsx';

export function ApiKeysCard({ userId }: { userId: string }) {
  const keys = useApiKeys(userId);
  const create = useCreateApiKey(userId);
  const revoke = useRevokeApiKey(userId);
  const [name, setName] = useState('');
  const [validFor, setValidFor] = useState<ValidFor>('365');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(usualScopes);
  const [problem, setProblem] = useState<string>();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <SettingsCard
      title="API Keys"
      about={
        <>
          For scripts: a key does in your name what its scopes allow, sent in the header{' '}
          <code className="text-foreground text-xs whitespace-nowrap">X-API-Key</code>. Treat it as a
          password.
        </>
      }
    >
      {!keys.isSuccess ? (
        <ListStates query={keys} what="API keys" />
      ) : keys.data.length === 0 ? (
        <p className="text-muted text-[13px]">No API keys yet. Name one below to create it.</p>
      ) : (
        <ul aria-label="API keys" className="divide-border divide-y border-y">
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setKeyToRevoke(key)} />
          ))}
        </ul>
      )}
      <form
        noValidate
        className="flex max-w-md flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (create.isPending) return;
          const newProblem = name.trim() === '' ? 'Please name the key' : undefined;
          setProblem(newProblem);
          if (newProblem !== undefined) input.current?.focus();
          else if (scopes.length > 0)
            create.mutate(
              { name: name.trim(), days: validFor === 'none' ? null : Number(validFor), scopes },
              { onSuccess: () => setName('') },
            );
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
        <ChoiceLine label="Valid for" options={validities} chosen={validFor} onChoose={setValidFor} />
        <ScopeBoxes offered={keyScopeNames} chosen={scopes} onChoose={setScopes} />
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
        open={keyToRevoke !== null}
        title={`Revoke ${keyToRevoke?.name ?? ''}?`}
        action="Revoke"
        onClose={() => setKeyToRevoke(null)}
        onAction={() => {
          if (keyToRevoke === null) return;
          revoke.mutate(keyToRevoke.id, {
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

type ValidFor = (typeof validities)[number]['value'];

/** In days. */
const validities = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'none', label: 'No end date' },
] as const;

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const now = useNow(60_000);
  const { name, prefix, scopes, created_at, last_used_at, expires_at } = apiKey;
  return (
    <li className="flex items-center gap-3 py-2">
      <KeyRound aria-hidden className="text-muted size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
          <code>{prefix}…</code>
          <span>Created {longDate(created_at)}</span>
          <span>
            {last_used_at === null
              ? 'Never used'
              : `Last used ${relativeTime(Date.parse(last_used_at), now).toLowerCase()}`}
          </span>
          <EndOfKey date={expires_at} now={now} />
        </p>
        <p className="text-muted text-xs">{scopeTitles(scopes)}</p>
      </div>
      <Button variant="danger" size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

function EndOfKey({ date, now }: { date: string | null; now: number }) {
  if (date === null) return <span>No end date</span>;
  return Date.parse(date) > now ? (
    <span>Valid until {longDate(date)}</span>
  ) : (
    <span className="text-danger">Ended {longDate(date)}</span>
  );
}

function NewKeyDialog({ apiKey: { name, key }, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const { config } = useServices();
  const example = `curl -H 'X-API-Key: ${key}' \\\n  ${config.analysisUrl}/api/dataset_metadata`;
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        className="overflow-y-auto"
        // A click outside must not close the dialog: the key is not shown again.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogTitle className="pr-6 wrap-anywhere">Your new key: {name}</DialogTitle>
        <DialogDescription className="sr-only">The key and an example of its use.</DialogDescription>
        <Alert variant="warning">Copy it now and keep it safe. It cannot be shown again.</Alert>
        <div className="flex flex-col items-start gap-2">
          <code
            aria-label="API key"
            className="bg-surface-2 w-full rounded-md px-3 py-2 text-[13px] break-all"
          >
            {key}
          </code>
          <CopyButton text={() => key} label="Copy key" />
        </div>
        <div className="flex flex-col items-start gap-2">
          <p className="text-sm font-medium">Try it</p>
          <pre
            aria-label="Example"
            className="bg-surface-2 w-full rounded-md px-3 py-2 text-xs break-all whitespace-pre-wrap"
          >
            {example}
          </pre>
          <CopyButton text={() => example} label="Copy example" />
          <p className="text-muted text-[13px]">
            All calls are documented at{' '}
            <a
              href={`${config.analysisUrl}/api/openapi.json`}
              target="_blank"
              rel="noreferrer"
              className="text-accent rounded underline underline-offset-4"
            >
              /api/openapi.json
            </a>
            .
          </p>
        </div>
        <DialogClose asChild>
          <Button className="self-end">Done</Button>
        </DialogClose>
      </DialogContent>
    </Dialog>
  );
}

interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  scopes: KeyScope[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}

interface KeyWishes {
  name: string;
  days: number | null;
  scopes: readonly KeyScope[];
}

interface NewApiKey {
  id: string;
  name: string;
  key: string;
}

const apiKeysKey = (userId: string) => ['api-keys', userId] as const;

/** Newest first. Fails with the server's message. */
function useApiKeys(userId: string) {
  const { tables } = useServices();
  return useQuery({
    queryKey: apiKeysKey(userId),
    queryFn: async ({ signal }): Promise<ApiKey[]> => {
      const { data, error } = await (await tables()).rpc('list_api_keys').abortSignal(signal);
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
      return data as ApiKey[];
    },
  });
}

function useCreateApiKey(userId: string) {
  const { tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, days, scopes }: KeyWishes): Promise<NewApiKey> => {
      const content = { key_name: name, valid_days: days, key_scopes: scopes };
      const { data, error } = await (await tables()).rpc('create_api_key', content).single();
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
      return data as NewApiKey;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysKey(userId) }),
  });
}

function useRevokeApiKey(userId: string) {
  const { tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      const { error } = await (await tables()).rpc('revoke_api_key', { key_id: id });
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey(userId) }),
  });
}
