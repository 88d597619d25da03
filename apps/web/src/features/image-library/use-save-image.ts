import type { FigureFormat, FigureSource } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { saveFile } from '@/lib/save-file.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { imageFileName } from './download-image.ts';
import type { LibraryImage } from './library-image.ts';
import { renderFigure } from './render-figure.ts';
import { imageKeys, useImageKeeper } from './use-image-keeper.ts';

export interface SaveImage {
  /** Saves an image as a file: as it is, or drawn anew from what it was drawn from. Says so, or why not. */
  save: (image: LibraryImage, format: FigureFormat) => Promise<void>;
  /** The format that is being prepared now. */
  saving: FigureFormat | null;
}

export function useSaveImage(): SaveImage {
  const { api } = useServices();
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : null;
  const keeper = useImageKeeper(userId);
  const client = useQueryClient();
  const [saving, setSaving] = useState<FigureFormat | null>(null);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);

  const fileOf = async (image: LibraryImage, format: FigureFormat): Promise<Blob> => {
    if (format !== 'png') {
      left.current = new AbortController();
      return drawAnew(api, image.source, format, left.current.signal);
    }
    if (image.imageUrl !== null) return fetchImage(image.imageUrl);
    return client.ensureQueryData({
      queryKey: imageKeys.file(userId, image.id),
      queryFn: ({ signal }) => keeper.file(image.id, signal),
    });
  };
  const save: SaveImage['save'] = async (image, format) => {
    setSaving(format);
    try {
      const name = imageFileName(image, format);
      saveFile(await fileOf(image, format), name);
      toast.success('Download started', { description: name });
    } catch (error) {
      if (isCancelled(error)) return;
      console.warn('An image was not downloaded.', error);
      const reason = error instanceof ApiRefusal && error.code === 'dataset_changed' ? ` ${error.body}` : '';
      toast.error('Error', { description: `Failed to download image. Please try again.${reason}` });
    } finally {
      setSaving(null);
    }
  };
  return { save, saving };
}

async function drawAnew(
  api: ApiClient,
  source: FigureSource | null | undefined,
  format: FigureFormat,
  signal: AbortSignal,
): Promise<Blob> {
  if (!source) throw new Error('It is not known what this image was drawn from.');
  return renderFigure(api, source, format, signal);
}

async function fetchImage(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.blob();
}
