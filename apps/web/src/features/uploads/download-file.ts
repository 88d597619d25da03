import { useMutation } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { userFilesBucket } from './user-files.ts';
import type { UserFile } from './user-files.ts';

// The download begins at once; only beginning it is bound to this time.
const secondsToBegin = 60;

/**
 * Saves a file under its original name. The browser fetches it from a signed URL straight to disk, so that a large file
 * does not pass through the page's memory.
 */
export function useDownloadUserFile() {
  const { files } = useServices();
  return useMutation({
    mutationFn: async (file: Pick<UserFile, 'file_path' | 'original_filename'>): Promise<void> => {
      const { data, error } = await (
        await files()
      )
        .from(userFilesBucket)
        .createSignedUrl(file.file_path, secondsToBegin);
      if (error !== null) throw error;
      const link = document.createElement('a');
      link.href = downloadAddress(data.signedUrl, file.original_filename);
      link.download = file.original_filename;
      link.click();
    },
  });
}

/** The client's own option for this encodes the name twice. */
function downloadAddress(signedUrl: string, name: string): string {
  const address = new URL(signedUrl);
  address.searchParams.set('download', name);
  return address.href;
}
