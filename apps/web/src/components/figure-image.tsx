import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/lib/cn.ts';

/**
 * A figure in the space its parent reserves: loading shifts no layout, and a missing figure is replaced by text.
 * Stored figures are on white, so the space is white in the dark theme too.
 */
export function FigureImage({ src, alt, className }: { src: string; alt: string; className?: string }) {
  const [shown, setShown] = useState<{ src: string; state: 'loaded' | 'failed' } | null>(null);
  const state = shown?.src === src ? shown.state : 'loading';
  return (
    <div
      className={cn(
        'bg-figure relative flex size-full items-center justify-center overflow-hidden',
        className,
      )}
    >
      {state === 'loading' && <div aria-hidden className="bg-surface-3 absolute inset-0 animate-pulse" />}
      {state === 'failed' ? (
        <p className="text-figure-muted flex flex-col items-center gap-2 p-4 text-center text-sm">
          <ImageOff aria-hidden className="size-5" />
          This image could not be loaded.
        </p>
      ) : (
        <img
          src={src}
          alt={alt}
          decoding="async"
          draggable={false}
          className={cn('relative size-full object-contain', state === 'loading' && 'opacity-0')}
          onLoad={() => setShown({ src, state: 'loaded' })}
          onError={() => setShown({ src, state: 'failed' })}
        />
      )}
    </div>
  );
}
