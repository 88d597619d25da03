import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { useServices } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';
import { userFilesKey } from '../user-files.ts';
import { failureText, isPlanFailure, planRequired } from './failure-text.ts';
import { tusTransfers } from './transfer.ts';
import type { UploadItem } from './upload-items.ts';
import { UploadQueue } from './upload-queue.ts';

/** One queue per app, so that uploads continue when the page is left. */
const queues = new WeakMap<Services, UploadQueue>();

export function useUploadQueue(userId: string): { queue: UploadQueue; items: readonly UploadItem[] } {
  const services = useServices();
  const queryClient = useQueryClient();
  const queue = queueOf(services, queryClient, userId);
  return { queue, items: useSyncExternalStore(queue.subscribe, queue.get) };
}

function queueOf(services: Services, queryClient: QueryClient, userId: string): UploadQueue {
  const existing = queues.get(services);
  if (existing?.userId === userId) return existing;
  existing?.close();
  const queue = new UploadQueue({
    userId,
    services,
    transfers: tusTransfers(services),
    onStored: ({ fileName }) => {
      toast.success('File uploaded successfully', { description: fileName });
      void queryClient.invalidateQueries({ queryKey: userFilesKey(userId) });
    },
    onFailed: ({ originalName, error }) => {
      if (isPlanFailure(error)) {
        toast.error(planRequired.title, { description: planRequired.description });
      } else {
        toast.error('Failed to upload file', { description: `${originalName}: ${failureText(error)}` });
      }
    },
  });
  queues.set(services, queue);
  const stopWatching = services.session.subscribe(() => {
    const session = services.session.get();
    if (session.status === 'signed-in' && session.user.id === userId) return;
    stopWatching();
    queue.close();
    if (queues.get(services) === queue) queues.delete(services);
  });
  return queue;
}
