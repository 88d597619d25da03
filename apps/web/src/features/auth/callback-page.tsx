import { whenStarted } from '@/components/when-started.tsx';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { Spinner } from '@/components/ui/spinner.tsx';
import { nextPage } from '@/lib/next-page.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { authAnswer } from './auth-calls.ts';
import { AuthShell, QuietLink } from './auth-shell.tsx';
import { Failure } from './form-parts.tsx';
import { SecondStepPage } from './second-step-page.tsx';
import { authLinkError } from '@/lib/auth-answer.ts';

function CallbackPage() {
  const { auth, providerAuth } = useServices();
  const linkError = authLinkError(useLocation().hash);
  const session = useSession();
  const [params] = useSearchParams();
  const code = params.get('code');
  const next = nextPage(params.get('next'))?.address ?? '/dataset-selector';
  const failed = linkError ?? params.get('error_description');

  const exchange = useQuery({
    queryKey: ['provider-code', code],
    enabled: code !== null && failed === null,
    // A code works once.
    staleTime: Infinity,
    queryFn: async () => {
      const arrived = await authAnswer(
        () => providerAuth().exchangeCodeForSession(code ?? ''),
        'An error occurred during sign in',
      );
      await authAnswer(() => auth.setSession(arrived.session), 'An error occurred during sign in');
      return true;
    },
  });

  if (failed === null && (code === null || exchange.isSuccess)) {
    if (session.status === 'signed-in') return <Navigate to={next} replace />;
    if (session.status === 'signed-out') {
      return session.secondStep === undefined ? (
        <Navigate to="/auth" replace />
      ) : (
        <SecondStepPage secondStep={session.secondStep} />
      );
    }
  }
  const problem = failed ?? exchange.error?.message;
  return (
    <AuthShell
      title="Signing in"
      heading={problem === undefined ? 'Signing in' : 'Sign-in failed'}
      footer={next === '/account' ? <QuietLink to={next}>Back to your account</QuietLink> : undefined}
    >
      {problem === undefined ? (
        <p role="status" className="text-muted flex items-center justify-center gap-2">
          <Spinner />
          Loading...
        </p>
      ) : (
        <Failure>{problem}</Failure>
      )}
    </AuthShell>
  );
}

export const Component = whenStarted(CallbackPage);
