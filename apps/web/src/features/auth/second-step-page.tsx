import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { useServices } from '@/lib/services.ts';
import type { PendingSecondStep } from '@/lib/session-store.ts';
import { authAnswer } from './auth-calls.ts';
import { AuthShell, QuietLink } from './auth-shell.tsx';
import { CodeForm } from './code-form.tsx';

export function SecondStepPage({ secondStep }: { secondStep: PendingSecondStep }) {
  return (
    <AuthShell
      title="Two-step sign-in"
      heading="Two-step sign-in"
      lead={`Signing in as ${secondStep.user.email}`}
      footer={<QuietLink to="/">Return to homepage</QuietLink>}
    >
      <SecondStepForm factors={secondStep.factors} />
    </AuthShell>
  );
}

function SecondStepForm({ factors }: Pick<PendingSecondStep, 'factors'>) {
  const { auth } = useServices();
  const apps = factors.filter(({ type }) => type === 'totp');
  const [chosen, setChosen] = useState(apps[0]?.id);
  const verify = useMutation({
    mutationFn: (code: string) =>
      authAnswer(() => auth.mfa.challengeAndVerify({ factorId: chosen ?? '', code })),
  });
  const leave = useMutation({ mutationFn: () => auth.signOut({ scope: 'local' }) });
  return (
    <>
      {apps.length === 0 ? (
        <Alert>
          The second step of this account is not an authenticator app, the only kind that this page supports.
          Ask the operator of this server to reset it.
        </Alert>
      ) : (
        <CodeForm
          focused
          codeLabel="Code from your authenticator app"
          label="Verify"
          busyLabel="Verifying..."
          busy={verify.isPending}
          error={verify.error?.message}
          onSubmit={(code) => verify.mutate(code)}
          before={
            apps.length > 1 && (
              <RadioGroup
                aria-label="Authenticator app"
                value={chosen ?? ''}
                onValueChange={(next) => {
                  setChosen(next);
                  verify.reset();
                }}
              >
                {apps.map(({ id, name }) => (
                  <div key={id} className="flex items-center gap-2">
                    <RadioGroupItem id={`app-${id}`} value={id} />
                    <Label htmlFor={`app-${id}`} className="font-normal wrap-anywhere">
                      {name === '' ? 'Authenticator app' : name}
                    </Label>
                  </div>
                ))}
              </RadioGroup>
            )
          }
        />
      )}
      <Button variant="ghost" size="sm" className="self-center" onClick={() => leave.mutate()}>
        Use another account
      </Button>
    </>
  );
}
