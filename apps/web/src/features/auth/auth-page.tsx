import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { Logo } from '@/components/logo.tsx';
import { ThemeToggle } from '@/components/theme-toggle.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { useServices, useSession } from '@/lib/services.ts';
import { CredentialsForm } from './credentials-form.tsx';
import type { Credentials } from './credentials.ts';
import { DemoAccounts } from './demo-accounts.tsx';
import { useSignIn } from './use-sign-in.ts';
import { useSignUp } from './use-sign-up.ts';

export function AuthPage() {
  const { config } = useServices();
  const session = useSession();
  const [tab, setTab] = useState('sign-in');
  const [credentials, setCredentials] = useState<Credentials>({ email: '', password: '' });
  const signIn = useSignIn();
  const signUp = useSignUp();

  if (session.status === 'signed-in') return <Navigate to="/dataset-selector" replace />;

  const forget = () => {
    signIn.reset();
    signUp.reset();
  };
  const edit = (next: Credentials) => {
    setCredentials(next);
    forget();
  };

  return (
    <div className="flex min-h-dvh flex-col">
      <title>Sign in · Cellfolio</title>
      <header className="flex items-center justify-between p-4">
        <Logo />
        <ThemeToggle />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center gap-6 px-4 pb-24">
        <div className="flex flex-col gap-1 text-center">
          <h1 className="text-2xl font-semibold tracking-tight">Welcome to Cellfolio</h1>
          <p className="text-muted">Sign in to access gene expression analysis tools</p>
        </div>
        <div className="bg-surface shadow-card flex flex-col gap-5 rounded-lg border p-6">
          <Tabs
            value={tab}
            onValueChange={(next) => {
              setTab(next);
              forget();
            }}
          >
            <TabsList aria-label="Sign in or sign up">
              <TabsTrigger value="sign-in">Sign In</TabsTrigger>
              <TabsTrigger value="sign-up">Sign Up</TabsTrigger>
            </TabsList>
            <TabsContent value="sign-in" className="pt-5">
              <CredentialsForm
                purpose="sign-in"
                value={credentials}
                onChange={edit}
                onSubmit={(value) => signIn.mutate(value)}
                busy={signIn.isPending}
                error={signIn.error?.message}
              />
            </TabsContent>
            <TabsContent value="sign-up" className="pt-5">
              {config.features.signUp ? (
                <CredentialsForm
                  purpose="sign-up"
                  value={credentials}
                  onChange={edit}
                  onSubmit={(value) => signUp.mutate(value)}
                  busy={signUp.isPending}
                  error={signUp.error?.message}
                >
                  {signUp.data === 'confirm-email' && (
                    <Alert variant="success" role="status">
                      <MailCheck aria-hidden />
                      Please check your email for a confirmation link.
                    </Alert>
                  )}
                </CredentialsForm>
              ) : (
                <Alert>New accounts are closed on this server. Ask whoever runs it for one.</Alert>
              )}
            </TabsContent>
          </Tabs>
          {config.demoAccounts !== undefined && config.demoAccounts.length > 0 && (
            <DemoAccounts
              accounts={config.demoAccounts}
              onChoose={(chosen) => {
                setTab('sign-in');
                edit(chosen);
              }}
            />
          )}
        </div>
        <Link
          to="/"
          className="text-muted hover:text-foreground self-center text-sm underline-offset-4 hover:underline"
        >
          Return to homepage
        </Link>
      </main>
    </div>
  );
}
