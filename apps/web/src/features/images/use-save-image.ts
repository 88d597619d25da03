import type { FigureFormat } from '@cellfolio/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { CommonScaleContext } from './common-scale.ts';
import { useDatasetName } from './dataset-name.ts';
import { imageFileName } from './download-image.ts';
import type { LibraryImage } from './library-image.ts';
import { renderFigure } from './render-figure.ts';
import { useReadImage } from './use-read-image.ts';

export interface SaveImage {
  /**
   * Saves an image as a file: as it is, or drawn anew from what it was drawn from, with the scale that it is shown with.
   * Says so, or why not.
   */
  save: (image: LibraryImage, format: FigureFormat) => Promise<void>;
  /** The format that is being prepared now. */
  saving: FigureFormat | null;
}

export function useSaveImage(): SaveImage {
  const { api } = useServices();
  const readImage = useReadImage();
  const datasetName = useDatasetName();
  const scaleOf = useContext(CommonScaleContext);
  const [saving, setSaving] = useState<FigureFormat | null>(null);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);

  const fileOf = (image: LibraryImage, format: FigureFormat): Promise<Blob> => {
    const range = scaleOf(image.source)?.range;
    if (format === 'png' && range === undefined) return readImage(image);
    if (!image.source) throw new Error('It is not known what this image was drawn from.');
    left.current = new AbortController();
    return renderFigure(api, image.source, format, left.current.signal, { range });
  };
  const save: SaveImage['save'] = async (image, format) => {
    setSaving(format);
    try {
      const name = imageFileName(image, format, datasetName(image));
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
