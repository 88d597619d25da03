import { useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '@/components/failure-notice.tsx';
import { toast } from '@/components/ui/toast.ts';
import { useServices } from '@/lib/services.ts';
import { datasetAnalysisQuery, openDataset } from './use-dataset-analysis.ts';

/**
 * Opens the dataset again where the server has lost it, with the active subset on top, while the page stays as it is.
 * @returns whether that worked; a notice says so where it did not
 */
export function useReopenDataset(filename: string, applyAgain: () => Promise<unknown>) {
  const { api } = useServices();
  const client = useQueryClient();
  return async (): Promise<boolean> => {
    try {
      // Beside the query, not through it: a refusal must not take the page, and what is typed in it, away.
      const analysis = await openDataset(api, filename);
      client.setQueryData(datasetAnalysisQuery(api, filename).queryKey, { analysis, notReady: null });
      await applyAgain();
      return true;
    } catch (error) {
      toast.error('Error', {
        description: <FailureNotice text="The dataset could not be opened again." error={error} />,
      });
      return false;
    }
  };
}
