import { useMutation } from '@tanstack/react-query';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { authAnswer } from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';
import { SettingsCard } from './settings-card.tsx';

export function SessionsCard() {
  const { auth } = useServices();
  const signOut = useMutation({
    mutationFn: (scope: 'global' | 'others') =>
      authAnswer(async () => ({ data: null, error: (await auth.signOut({ scope })).error })),
    onSuccess: (_data, scope) => {
      toast.success(
        scope === 'others' ? 'Your other devices are signed out' : 'You are signed out everywhere',
      );
    },
    onError: (error) => toast.error('Error', { description: error.message }),
  });
  return (
    <SettingsCard
      title="Sessions"
      about="Lost a device, or used a shared computer? End the sessions you left open. API keys keep working."
    >
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" disabled={signOut.isPending} onClick={() => signOut.mutate('others')}>
          Sign out other devices
        </Button>
        <Button variant="secondary" disabled={signOut.isPending} onClick={() => signOut.mutate('global')}>
          Sign out everywhere
        </Button>
      </div>
    </SettingsCard>
  );
}
