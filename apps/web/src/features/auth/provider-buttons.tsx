import { useMutation } from '@tanstack/react-query';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useServices } from '@/lib/services.ts';
import { authAnswer } from './auth-answer.ts';
import { Failure } from './failure.tsx';
import { callbackPage } from './link-targets.ts';
import { signInWays } from './sign-in-ways.ts';

/**
 * A button for each provider that the settings name; nothing where they name none. `next` is where sign-in leads on to.
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
  // Once away, the page stays busy until the browser has left it.
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
