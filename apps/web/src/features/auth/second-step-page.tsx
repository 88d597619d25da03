import type { PendingSecondStep } from '@/lib/session-store.ts';
import { AuthShell, QuietLink } from './auth-shell.tsx';
import { SecondStepForm } from './second-step-form.tsx';

/** Between the password and the session. */
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
