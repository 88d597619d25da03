import { jobAnswer } from '@cellfolio/contract';
import type { BuildFileRequest, CombineRequest, ConvertRequest, Job } from '@cellfolio/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { ownFilesKey } from '../user-files.ts';

export function useStartConversion(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: ConvertRequest): Promise<Job> =>
      (await api({ path: '/api/convert', body, answer: jobAnswer })).job,
    // The new job is listed before the call counts as done.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

export function useStartConversions(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (bodies: readonly ConvertRequest[]) => {
      const begun: { body: ConvertRequest; job: Job }[] = [];
      const refused: { body: ConvertRequest; error: unknown }[] = [];
      for (const body of bodies) {
        try {
          const { job } = await api({ path: '/api/convert', body, answer: jobAnswer });
          begun.push({ body, job });
        } catch (error) {
          refused.push({ body, error });
        }
      }
      return { begun, refused };
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

export function useStartCombination(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CombineRequest): Promise<Job> =>
      (await api({ path: '/api/combine', body, answer: jobAnswer })).job,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

export function useStartInspection(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (fileId: string): Promise<Job> =>
      (await api({ path: `/api/files/${encodeURIComponent(fileId)}/inspect`, body: {}, answer: jobAnswer }))
        .job,
    onError: (error) => toast.error('Error', { description: failureWords(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

/** Inspects a file again for the cells that a build with these choices would remove; keeps the report meanwhile. */
export function useStartPlan(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ fileId, choices }: BuildOrder): Promise<Job> =>
      (
        await api({
          path: `/api/files/${encodeURIComponent(fileId)}/inspect`,
          body: choices,
          answer: jobAnswer,
        })
      ).job,
    onError: (error) => toast.error('Error', { description: failureWords(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

interface BuildOrder {
  fileId: string;
  choices: BuildFileRequest;
}

export function useStartBuild(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ fileId, choices }: BuildOrder): Promise<Job> =>
      (
        await api({
          path: `/api/files/${encodeURIComponent(fileId)}/build`,
          body: choices,
          answer: jobAnswer,
        })
      ).job,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

/** Restarts a download or a combination; data already received is reused. */
export function useStartAgain(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) =>
      api({ path: `/api/jobs/${encodeURIComponent(jobId)}/again`, body: {}, answer: jobAnswer }),
    onError: (error) => toast.error('Error', { description: failureWords(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}

/** Cancels a job. One that has ended meanwhile stays as it is. */
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

export function failureWords(error: unknown): string {
  if (error instanceof ApiRefusal) {
    return error.body === '' || error.code === ''
      ? `The server could not do this (${error.status}). Try again in a minute.`
      : error.body;
  }
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}
