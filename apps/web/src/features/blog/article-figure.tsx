import { Maximize2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { cn } from '@/lib/cn.ts';

const FigureDialog = lazy(async () => ({ default: (await import('./figure-dialog.tsx')).FigureDialog }));

interface ArticleFigureProps {
  children: ReactNode;
  caption: ReactNode;
  wide?: boolean;
}

/** A figure with its caption. All are drawn from simulated data, and say so. */
export function ArticleFigure({ children, caption, wide = false }: ArticleFigureProps) {
  return (
    <figure
      className={cn('my-10 break-inside-avoid', wide && 'lg:-mx-[min(9rem,calc((100vw-68ch-6rem)/2))]')}
    >
      <div
        className={cn(
          'flex flex-col gap-3',
          wide &&
            'md:grid md:auto-cols-fr md:grid-flow-col md:items-start print:grid print:auto-cols-fr print:grid-flow-col print:items-start',
        )}
      >
        {children}
      </div>
      <figcaption className="text-muted mt-3 text-[14px] leading-normal text-pretty">
        {caption} <span className="text-foreground font-medium">Simulated data.</span>
      </figcaption>
    </figure>
  );
}

interface PanelProps {
  /** File name in /blog. */
  name: string;
  /** In CSS pixels; the file has two pixels for each. */
  width: number;
  height: number;
  alt: string;
}

export function Panel({ name, width, height, alt }: PanelProps) {
  const [open, setOpen] = useState(false);
  const src = `/blog/${name}.png`;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="group bg-figure relative block w-full overflow-hidden rounded-lg border"
      >
        <img
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className="h-auto w-full"
        />
        <span className="sr-only">. Open large</span>
        <span
          aria-hidden
          className="bg-surface text-foreground absolute right-2 bottom-2 flex rounded-md border p-1.5 opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 print:hidden"
        >
          <Maximize2 className="size-3.5" />
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <FigureDialog src={src} width={width} height={height} alt={alt} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
