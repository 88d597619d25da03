import { ImageOff, RotateCcw } from 'lucide-react';
import { FigureImage } from '@/components/figure-image.tsx';
import { Button } from '@/components/ui/button.tsx';
import { type FigureWords, figureAlt } from '@/lib/figure-words.ts';
import { useImageFile } from './stored-image-file.ts';
import type { LibraryImage } from './library-image.ts';

interface LibraryFigureProps {
  image: LibraryImage;
  alt: string;
  words?: FigureWords | undefined;
  withRetry?: boolean;
}

export function LibraryFigure({ image, alt, words, withRetry = false }: LibraryFigureProps) {
  const { url, words: ofFile, failed, retry } = useImageFile(image);
  if (image.missing !== undefined) {
    return (
      <div className="bg-figure text-figure-muted flex size-full items-center justify-center">
        {withRetry ? (
          <p className="max-w-sm p-4 text-center text-sm text-balance">{image.missing}</p>
        ) : (
          <ImageOff aria-hidden className="size-5" />
        )}
      </div>
    );
  }
  if (url !== null) return <FigureImage src={url} alt={figureAlt(alt, words ?? ofFile)} />;
  return (
    <div className="bg-figure text-figure-muted relative flex size-full items-center justify-center">
      {!failed && <div aria-hidden className="bg-surface-3 absolute inset-0 animate-pulse" />}
      {failed && withRetry && (
        <div role="alert" className="flex flex-col items-center gap-2 p-4 text-center text-sm">
          <p>This image could not be loaded.</p>
          <Button variant="secondary" size="sm" onClick={retry}>
            <RotateCcw aria-hidden />
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
