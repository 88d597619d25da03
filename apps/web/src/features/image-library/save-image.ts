import { toast } from 'sonner';
import { downloadImage } from './download-image.ts';
import type { LibraryImage } from './library-image.ts';

/** Downloads and says so. */
export async function saveImage(image: LibraryImage): Promise<void> {
  try {
    await downloadImage(image);
    toast.success('Download started');
  } catch (error) {
    console.error(error);
    toast.error('Error', { description: 'Failed to download image. Please try again.' });
  }
}
