import {
  allowedApp,
  appRequestProblem,
  type DescribedApp,
  describedApp,
  type KeyScope,
} from '@cellfolio/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { ScopeBoxes } from '@/components/scope-boxes.tsx';
import { SignedInPage } from '@/components/signed-in-page.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { whenStarted } from '@/components/when-started.tsx';
import { Failure } from '@/features/auth/index.ts';
import { ApiRefusal, reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { SettingsCard } from './settings-card.tsx';

const links = [{ to: '/account', label: 'Account' }] as const;

/** `/oauth/authorize`: the authorization endpoint, where a user decides about an app. */
function ConnectAppPage() {
  return (
    <SignedInPage
      title="Connect an App"
      lead={(user) => user && `Signed in as ${user.email}`}
      links={links}
      className="max-w-xl"
    >
      {() => (
        <ErrorBoundary region="The app that asks">
          <AppQuestion />
        </ErrorBoundary>
      )}
    </SignedInPage>
  );
}

export const Component = whenStarted(ConnectAppPage);

function AppQuestion() {
  const { api } = useServices();
  const [parameters] = useSearchParams();
  const request = Object.fromEntries(parameters);
  const app = useQuery({
    queryKey: ['app-request', parameters.toString()],
    queryFn: ({ signal }) => api({ path: '/api/app-requests', body: request, answer: describedApp, signal }),
    retry: false,
    staleTime: Infinity,
  });
  if (app.isSuccess) return <Decision app={app.data} request={request} />;
  if (!app.isError) {
    return (
      <SettingsCard title="Reading who asks...">
        <Skeleton className="h-40" />
      </SettingsCard>
    );
  }
  const problem = app.error instanceof ApiRefusal && appRequestProblem.safeParse(app.error.details).data;
  return (
    <SettingsCard title="This app cannot be connected">
      <Failure>{reasonOf(app.error)}</Failure>
      <div className="flex flex-wrap gap-2">
        {problem && (
          <Button variant="secondary" onClick={() => location.assign(problem.error_address)}>
            Return to the app
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to="/account">Go to your account</Link>
        </Button>
      </div>
    </SettingsCard>
  );
}

function Decision({ app, request }: { app: DescribedApp; request: object }) {
  const { api } = useServices();
  const [scopes, setScopes] = useState<readonly KeyScope[]>(app.scopes);
  const allow = useMutation({
    mutationFn: () => api({ path: '/api/connected-apps', body: { ...request, scopes }, answer: allowedApp }),
    onSuccess: ({ allowed_address }) => location.assign(allowed_address),
  });
  const leaving = allow.isPending || allow.isSuccess;
  return (
    <SettingsCard
      title={`${app.client_name} asks to work in your name`}
      about="It would find, read and analyze what you can open here, your own data too, and can send it to the AI model that it uses."
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-muted">Published at</dt>
        <dd className="font-medium wrap-anywhere">{app.client_host}</dd>
        <dt className="text-muted">Answer goes to</dt>
        <dd className="font-medium wrap-anywhere">{app.redirect_host}</dd>
      </dl>
      <Alert variant="warning">
        <TriangleAlert aria-hidden />
        <p>
          Anybody can give an app any name.{' '}
          {app.on_this_device &&
            'The answer goes to a program on this device, and which one cannot be checked. '}
          Allow it only if you have just started to connect it yourself.
        </p>
      </Alert>
      <ScopeBoxes offered={app.scopes} chosen={scopes} onChoose={setScopes} />
      {allow.isError && <Failure>{reasonOf(allow.error)}</Failure>}
      <div className="flex flex-wrap gap-2">
        <Button
          aria-disabled={leaving}
          onClick={() => {
            if (!leaving && scopes.length > 0) allow.mutate();
          }}
        >
          {leaving ? 'Connecting...' : 'Allow'}
        </Button>
        <Button variant="secondary" onClick={() => location.assign(app.denied_address)}>
          Deny
        </Button>
      </div>
      <p className="text-muted text-[13px]">You can disconnect it at any time on your account page.</p>
    </SettingsCard>
  );
}
