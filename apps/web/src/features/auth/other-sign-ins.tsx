import type { PublicConfig } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer, callbackPage, signInWays } from './auth-calls.ts';
import type { Credentials } from './credentials.ts';
import { Failure } from './form-parts.tsx';

/**
 * A button for each configured provider. `next` is the path after sign-in.
 */
export function ProviderButtons({ next }: { next: string | undefined }) {
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

export function DemoAccounts({ accounts, onChoose }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-accounts" className="flex flex-col gap-2 border-t pt-4">
      <h2 id="demo-accounts" className="text-sm font-medium">
        Demo accounts
      </h2>
      <p className="text-muted text-xs">On this computer only. Choose one to fill in the form.</p>
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
