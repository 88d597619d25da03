import { type ConnectedApp, connectedApps, disconnectedApp } from '@cellfolio/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { scopeTitles } from '@/components/scope-boxes.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { longDate, relativeTime } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useNow } from '@/lib/use-time.ts';
import { ListStates, SettingsCard } from './settings-card.tsx';

const appsKey = (userId: string) => ['connected-apps', userId] as const;

/** Apps that signed in for the tools for assistants; shown where the server lets them. */
export function ConnectedAppsCard({ userId }: { userId: string }) {
  const { api, config } = useServices();
  const queryClient = useQueryClient();
  const [appToRevoke, setAppToRevoke] = useState<ConnectedApp | null>(null);
  const apps = useQuery({
    queryKey: appsKey(userId),
    queryFn: ({ signal }) => api({ path: '/api/connected-apps', answer: connectedApps, signal }),
    enabled: config.features.connectedApps === true,
  });
  const revoke = useMutation({
    mutationFn: (id: string) =>
      api({ path: `/api/connected-apps/${id}`, method: 'DELETE', answer: disconnectedApp }),
    onSuccess: () => toast.success('App disconnected'),
    onError: (error) => toast.error('Error', { description: reasonOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: appsKey(userId) }),
  });
  if (config.features.connectedApps !== true) return null;
  return (
    <SettingsCard
      title="Connected Apps"
      about={`Assistants that you let work in your name. To connect one, give it the address ${config.analysisUrl}/mcp.`}
    >
      {!apps.isSuccess ? (
        <ListStates query={apps} what="connected apps" />
      ) : apps.data.apps.length === 0 ? (
        <p className="text-muted text-[13px]">No app is connected.</p>
      ) : (
        <ul aria-label="Connected apps" className="divide-border divide-y border-y">
          {apps.data.apps.map((app) => (
            <AppRow key={app.id} app={app} onRevoke={() => setAppToRevoke(app)} />
          ))}
        </ul>
      )}
      <ConfirmQuestion
        open={appToRevoke !== null}
        title={`Disconnect ${appToRevoke?.client_name ?? ''}?`}
        action="Revoke"
        onClose={() => setAppToRevoke(null)}
        onAction={() => appToRevoke && revoke.mutate(appToRevoke.id)}
      >
        It can do nothing more in your name, from now on. You can connect it again.
      </ConfirmQuestion>
    </SettingsCard>
  );
}

function AppRow({ app, onRevoke }: { app: ConnectedApp; onRevoke: () => void }) {
  const now = useNow(60_000);
  const { client_name, client_host, scopes, connected_at, last_used_at } = app;
  return (
    <li className="flex items-center gap-3 py-2">
      <Plug aria-hidden className="text-muted size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{client_name}</p>
        <p className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
          <span className="wrap-anywhere">{client_host}</span>
          <span>Connected {longDate(connected_at)}</span>
          {last_used_at !== null && (
            <span>Last used {relativeTime(Date.parse(last_used_at), now).toLowerCase()}</span>
          )}
        </p>
        <p className="text-muted text-xs">{scopeTitles(scopes)}</p>
      </div>
      <Button variant="danger" size="sm" aria-label={`Revoke ${client_name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
