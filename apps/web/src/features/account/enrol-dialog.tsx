import { useState } from 'react';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { toast } from '@/components/ui/toast.ts';
import { CodeForm, Failure, SubmitButton } from '@/features/auth/index.ts';
import { CopyButton } from '@/components/copy-button.tsx';
import { useEnrol, useFinishEnrolment, useRemoveFactor } from './use-factors.ts';

interface EnrolDialogProps {
  userId: string;
  /** Names of the apps that the account has. */
  taken: readonly string[];
  onClose: () => void;
}

/** Sets up an authenticator app: its name, then its secret, then its first code. */
export function EnrolDialog({ userId, taken, onClose }: EnrolDialogProps) {
  const enrol = useEnrol();
  const finish = useFinishEnrolment(userId);
  const abandon = useRemoveFactor(userId);
  const [name, setName] = useState(() => freeName(taken));
  const begun = enrol.data;

  const close = () => {
    // Half of a setup is of no use; it would lapse by itself in a few minutes.
    if (begun !== undefined && !finish.isSuccess) abandon.mutate(begun.id);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(next) => !next && close()}>
      <DialogContent className="max-w-md overflow-y-auto">
        <DialogTitle>Set up two-step sign-in</DialogTitle>
        {begun === undefined ? (
          <>
            <DialogDescription>
              You need an authenticator app that shows one-time codes, on your phone or in your password
              manager.
            </DialogDescription>
            <form
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                if (!enrol.isPending && name.trim() !== '') enrol.mutate(name.trim());
              }}
            >
              <Field label="Name" hint="How you will recognise this app in the list.">
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
        ) : (
          <>
            <DialogDescription>
              Scan this with the app, or type the secret into it. Then enter the six digits that it shows.
            </DialogDescription>
            <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
              <img
                src={begun.totp.qr_code}
                alt="QR code for your authenticator app"
                className="bg-figure size-44 shrink-0 rounded-md border"
              />
              <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
                <p id="totp-secret" className="text-sm font-medium">
                  Secret
                </p>
                <code
                  aria-labelledby="totp-secret"
                  className="bg-surface-2 rounded px-2 py-1 text-[13px] break-all"
                >
                  {begun.totp.secret}
                </code>
                <CopyButton text={() => begun.totp.secret} label="Copy secret" />
              </div>
            </div>
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
                        description: 'From now on, sign-in asks for a code of this app.',
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

/** The service takes no name twice. */
function freeName(taken: readonly string[]): string {
  const base = 'Authenticator app';
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`;
    if (!taken.includes(name)) return name;
  }
}
