import { jobAnswer } from '@cellfolio/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { useServices } from '@/lib/services.ts';
import { failureWords } from './failure-words.ts';
import { ownFilesKey } from './use-own-files.ts';

/** Ends a job without a result. One that has ended meanwhile is left as it is. */
export function useCancelJob(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) =>
      api({ path: `/api/jobs/${encodeURIComponent(jobId)}/cancel`, body: {}, answer: jobAnswer }),
    onError: (error) => toast.error('Error', { description: failureWords(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}
