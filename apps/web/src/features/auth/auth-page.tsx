import { MailCheck } from 'lucide-react';
import { use, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import type { PublicConfig } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { Alert } from '@/components/ui/alert.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { sessionWasLost } from '@/lib/end-lost-session.ts';
import { nextPage } from '@/lib/next-page.ts';
import { ServicesContext, useSession, useServices } from '@/lib/services.ts';
import { useHydrated } from '@/lib/use-browser.ts';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { AuthRefused, useSignIn, useSignUp, authAnswer, callbackPage, signInWays } from './auth-calls.ts';
import { AuthShell, QuietLink } from './auth-shell.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import type { Credentials } from './credentials.ts';
import { ResendConfirmation } from './resend-confirmation.tsx';
import { SecondStepPage } from './second-step-page.tsx';
import { useCaptcha, type CaptchaState } from './captcha.tsx';
import { Failure } from './form-parts.tsx';

/** Prerendered: the form can be filled in before the services have started. */
function AuthPage() {
  const config = use(ServicesContext)?.config;
  const session = useSession();
  const [tab, setTab] = useState('sign-in');
  const [credentials, setCredentials] = useState<Credentials>({ email: '', password: '' });
  const [unproven, setUnproven] = useState(false);
  const [lost] = useState(sessionWasLost);
  const { state } = useLocation() as { state: { next?: unknown } | null };
  const hydrated = useHydrated();
  const next = hydrated ? nextPage(state?.next) : null;
  const captcha = useCaptcha();
  const signIn = useSignIn();
  const signUp = useSignUp();

  if (session.status === 'signed-in') return <Navigate to={next?.address ?? '/dataset-selector'} replace />;
  if (config !== undefined && session.status === 'signed-out' && session.secondStep !== undefined) {
    return <SecondStepPage secondStep={session.secondStep} />;
  }

  const forget = () => {
    signIn.reset();
    signUp.reset();
    setUnproven(false);
  };
  const edit = (next: Credentials) => {
    setCredentials(next);
    forget();
  };
  const fields = { value: credentials, onChange: edit, ready: config !== undefined };
  const problem = unproven ? 'Please complete the check below first.' : undefined;
  const sending = ({ mutate, isPending, error }: typeof signIn | typeof signUp) => ({
    busy: isPending,
    error: error?.message ?? problem,
    onSubmit: (value: Credentials) => {
      setUnproven(!captcha.ready);
      if (captcha.ready) mutate({ ...value, captcha: captcha.take() });
    },
  });
  const unconfirmed = signIn.error instanceof AuthRefused && signIn.error.code === 'email_not_confirmed';

  return (
    <AuthShell
      title="Sign in"
      heading="Welcome to Cellfolio"
      lead="Sign in to access gene expression analysis tools"
      footer={<QuietLink to="/">Return to homepage</QuietLink>}
    >
      <WhyHere lost={lost} next={next} />
      <Tabs
        value={tab}
        onValueChange={(next) => {
          setTab(next);
          forget();
        }}
      >
        <TabsList aria-label="Sign in or sign up">
          <TabsTrigger value="sign-in">Sign In</TabsTrigger>
          {/* Before the code of the page is loaded a click would do nothing. */}
          <TabsTrigger value="sign-up" disabled={!hydrated}>
            Sign Up
          </TabsTrigger>
        </TabsList>
        <TabsContent value="sign-in" className="pt-5">
          <CredentialsForm purpose="sign-in" {...fields} {...sending(signIn)}>
            {unconfirmed && <ResendConfirmation email={credentials.email} captcha={captcha} />}
            <Link
              to="/auth/forgot-password"
              state={{ email: credentials.email }}
              className="text-muted hover:text-foreground -mt-1 self-start text-[13px] underline-offset-4 hover:underline"
            >
              Forgot password?
            </Link>
            {tab === 'sign-in' && captcha.widget}
          </CredentialsForm>
        </TabsContent>
        <TabsContent value="sign-up" className="pt-5">
          {config?.features.signUp !== false ? (
            <CredentialsForm purpose="sign-up" {...fields} {...sending(signUp)}>
              {signUp.data === 'confirm-email' && <LookForMail email={credentials.email} captcha={captcha} />}
              {tab === 'sign-up' && captcha.widget}
            </CredentialsForm>
          ) : (
            <Alert>Sign-up is closed on this server. Ask its operator for an account.</Alert>
          )}
        </TabsContent>
      </Tabs>
      {config && <ProviderButtons next={next?.address} />}
      {config?.demoAccounts !== undefined && config.demoAccounts.length > 0 && (
        <DemoAccounts
          accounts={config.demoAccounts}
          onChoose={(chosen) => {
            setTab('sign-in');
            edit(chosen);
          }}
        />
      )}
    </AuthShell>
  );
}

function WhyHere({ lost, next }: { lost: boolean; next: ReturnType<typeof nextPage> }) {
  if (lost) {
    return (
      <Alert variant="warning" role="status">
        Your session has ended. Please sign in again: your entries are kept.
      </Alert>
    );
  }
  return (
    next && (
      <Alert role="status">Please sign in to open {next.name}. You will return there after signing in.</Alert>
    )
  );
}

function LookForMail({ email, captcha }: { email: string; captcha: CaptchaState }) {
  return (
    <>
      <Alert variant="success" role="status">
        <MailCheck aria-hidden />
        Please check your email for a confirmation link.
      </Alert>
      <ResendConfirmation email={email} captcha={captcha} />
    </>
  );
}

export { AuthPage as Component };

/**
 * A button for each configured provider. `next` is the path after sign-in.
 */
function ProviderButtons({ next }: { next: string | undefined }) {
  const { config, providerAuth } = useServices();
  const leave = useMutation({
    mutationFn: (name: string) =>
      authAnswer(
        () =>
          // The names are the operator's; the client knows those of a hosted project only.
          providerAuth().signInWithOAuth({
            provider: name as 'github',
            options: { redirectTo: callbackPage(next) },
          }),
        'An error occurred during sign in',
      ),
  });
  const { providers } = signInWays(config);
  if (providers.length === 0) return null;
  // Stays busy until the browser has left the page.
  const leaving = leave.isPending || leave.isSuccess;
  return (
    <div className="flex flex-col gap-3">
      <div className="text-muted flex items-center gap-3 text-xs">
        <span aria-hidden className="bg-border h-px flex-1" />
        or
        <span aria-hidden className="bg-border h-px flex-1" />
      </div>
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          variant="secondary"
          className="w-full"
          disabled={leaving}
          onClick={() => leave.mutate(name)}
        >
          {leaving && leave.variables === name && <Spinner />}
          <span className="truncate">Continue with {label}</span>
        </Button>
      ))}
      {leave.error !== null && <Failure>{leave.error.message}</Failure>}
    </div>
  );
}

interface DemoAccountsProps {
  accounts: NonNullable<PublicConfig['demoAccounts']>;
  onChoose: (credentials: Credentials) => void;
}

function DemoAccounts({ accounts, onChoose }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-accounts" className="flex flex-col gap-2 border-t pt-4">
      <h2 id="demo-accounts" className="text-sm font-medium">
        Demo accounts
      </h2>
      <p className="text-muted text-xs">On this computer only. Choose one to fill the form.</p>
      <ul className="flex flex-col gap-1">
        {accounts.map(({ tier, email, password }) => (
          <li key={email}>
            <Button
              variant="ghost"
              size="sm"
              className="w-full justify-between px-2"
              onClick={() => onChoose({ email, password })}
            >
              <span className="capitalize">{tier}</span>
              <span className="text-muted font-normal">{email}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
