import type { AccountContents } from '@cellfolio/contract';
import { accountContents, deletedAccount, fileSize } from '@cellfolio/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { DownloadProgress } from '@/components/download-progress.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from '@/components/ui/dialog.tsx';
import { Field, focusError, Input } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Failure, SubmitButton } from '@/features/auth/index.ts';
import { anyFile } from '@/lib/api-client.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { saveFile } from '@/lib/files.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { ListStates, SettingsCard } from './settings-card.tsx';

function useAccountContents(userId: string) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['account-contents', userId],
    staleTime: 0,
    queryFn: ({ signal }) => api({ path: '/api/account', answer: accountContents, signal }),
  });
}

export function DownloadDataCard() {
  const { api } = useServices();
  const call = useCancellableCall((_request: null, { signal, onProgress }) =>
    api({
      path: '/api/account/archive',
      expects: 'file',
      answer: anyFile,
      signal,
      onBytes: (done) => onProgress({ stage: '', done, total: 0 }),
    }),
  );
  const start = () => {
    if (call.isPending) return;
    call.mutate(null, {
      onSuccess: (file) => {
        const name = `cellfolio-${new Date().toISOString().slice(0, 10)}.zip`;
        saveFile(file, name);
        toast.success('Download started', { description: `${name}, ${fileSize(file.size)}` });
      },
    });
  };
  const failed = call.error !== null && !isCancelled(call.error);
  return (
    <SettingsCard
      title="Your Data"
      about="A zip file with everything you have here: profile, subsets, annotations, gene lists, links and kept figures in open formats, and your uploaded files. Above 4 GB of files it contains download links instead."
    >
      {failed && <Failure>Your data could not be downloaded: {reasonOf(call.error)}</Failure>}
      <Button variant="secondary" className="self-start" aria-disabled={call.isPending} onClick={start}>
        <Download aria-hidden />
        {call.isPending ? 'Downloading...' : failed ? 'Try again' : 'Download my data'}
      </Button>
      {call.isPending && (
        <DownloadProgress
          doing="Collecting your data"
          received={call.progress?.done ?? null}
          onCancel={call.cancel}
        />
      )}
    </SettingsCard>
  );
}

export function DeleteAccountCard({ userId, email }: { userId: string; email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <SettingsCard
      title="Delete Account"
      about="Permanently deletes your account and everything in it. Download your data first if you may need it."
    >
      <Button variant="danger" className="self-start border" onClick={() => setOpen(true)}>
        Delete account...
      </Button>
      {open && <DeleteAccountDialog userId={userId} email={email} onClose={() => setOpen(false)} />}
    </SettingsCard>
  );
}

interface DeleteAccountDialogProps {
  userId: string;
  /** Empty for an account without e-mail. */
  email: string;
  onClose: () => void;
}

function DeleteAccountDialog({ userId, email, onClose }: DeleteAccountDialogProps) {
  const contents = useAccountContents(userId);
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()}>
      <DialogContent className="max-w-lg overflow-y-auto">
        <DialogTitle>Delete your account?</DialogTitle>
        <DialogDescription>This takes effect at once and cannot be undone.</DialogDescription>
        {contents.data === undefined ? (
          <ListStates query={contents} what="data" />
        ) : (
          <>
            <Consequences contents={contents.data} />
            <ProofForm email={email} asksPassword={contents.data.password} />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** Tables listed with their number of rows; dependent tables are not listed. */
const named: ReadonlyMap<string, string> = new Map([
  ['subsets', 'saved subset'],
  ['figures', 'kept figure'],
  ['annotations', 'annotation or kept column'],
  ['gene-lists', 'gene list'],
  ['links', 'short link'],
  ['api-keys', 'API key'],
  ['sessions', 'session'],
]);

function Consequences({
  contents: { tables, files, jobs_under_way, paid_plan },
}: {
  contents: AccountContents;
}) {
  const rows = new Map(tables.map((table) => [table.name, table.rows]));
  const counts = [...named].flatMap(([name, noun]) => {
    const count = rows.get(name) ?? 0;
    if (count === 0) return [];
    return name === 'annotations' && count > 1
      ? [`${count} annotations and kept columns`]
      : [plural(count, noun)];
  });
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div>
        <p className="font-medium">What is deleted</p>
        <ul className="text-muted list-disc pl-5">
          <li>Your profile, plan and settings</li>
          {files.count > 0 && (
            <li>{`${plural(files.count, 'file')} (${fileSize(files.bytes)}), and every dataset built from your files`}</li>
          )}
          {counts.length > 0 && <li>{counts.join(', ')}</li>}
          {jobs_under_way > 0 && <li>{`Running jobs, which are canceled: ${jobs_under_way}`}</li>}
          {paid_plan !== null && (
            <li>{`Your ${paid_plan} plan: canceled at once, without a refund for the rest of the paid period`}</li>
          )}
          <li>Links you shared stop working</li>
        </ul>
      </div>
      <div>
        <p className="font-medium">What remains</p>
        <p className="text-muted">
          Backups and logs of this server until its operator deletes them, messages you sent on the contact
          page, and invoices at the payment provider.
        </p>
      </div>
    </div>
  );
}

function ProofForm({ email, asksPassword }: { email: string; asksPassword: boolean }) {
  const { api, auth } = useServices();
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ email: '', password: '' });
  const [problems, setProblems] = useState<{ email?: string; password?: string }>({});
  // When this page has gone: it would lead from an ended session to sign-in.
  const deleted = useRef(false);
  useEffect(
    () => () => {
      if (deleted.current) void auth.signOut({ scope: 'local' });
    },
    [auth],
  );
  const remove = useMutation({
    mutationFn: async (proof: { email: string; password: string }) => {
      await api({ path: '/api/account/delete', body: proof, answer: deletedAccount });
      deleted.current = true;
      await navigate('/account-deleted', { replace: true });
    },
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part });
    setProblems({});
  };
  const check = () => ({
    ...(typed.email.trim().toLowerCase() !== email.toLowerCase() && { email: `Type ${email}` }),
    ...(asksPassword && typed.password === '' && { password: 'Type your password' }),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (remove.isPending) return;
        const newProblems = check();
        setProblems(newProblems);
        const form = event.currentTarget;
        if (Object.keys(newProblems).length === 0) remove.mutate({ ...typed, email: typed.email.trim() });
        else requestAnimationFrame(() => focusError(form));
      }}
    >
      {email !== '' && (
        <Field label={`Type your email address, ${email}`} error={problems.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="off"
              value={typed.email}
              onChange={(event) => change({ email: event.target.value })}
            />
          )}
        </Field>
      )}
      {asksPassword ? (
        <Field label="Password" error={problems.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              value={typed.password}
              onChange={(event) => change({ password: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <p className="text-muted text-[13px]">
          Your account has no password: sign in within ten minutes before you delete it.
        </p>
      )}
      {remove.error !== null && <Failure>Your account was not deleted. {reasonOf(remove.error)}</Failure>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" asChild>
          <DialogClose>Cancel</DialogClose>
        </Button>
        <SubmitButton
          busy={remove.isPending}
          label="Delete account"
          busyLabel="Deleting..."
          variant="destructive"
          className=""
        />
      </div>
    </form>
  );
}
