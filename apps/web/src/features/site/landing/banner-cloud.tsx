import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { SiteFigure } from '../figures/site-figure.tsx';
import { bannerFacts } from './banner-cells.ts';
import type { Colouring } from './cloud-drawing.ts';
import type { Cloud } from './run-cloud.ts';

const reducedMotion = '(prefers-reduced-motion: reduce)';

export function BannerCloud({ className }: { className?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cloud = useRef<Cloud | null>(null);
  const [shown, setShown] = useState(false);
  const [moving, setMoving] = useState(false);
  const [colouring, setColouring] = useState<Colouring>(null);

  useEffect(() => {
    const controller = new AbortController();
    const start = async () => {
      const { runCloud } = await import('./run-cloud.ts');
      if (canvas.current === null || controller.signal.aborted) return;
      cloud.current = await runCloud(canvas.current, controller.signal, {
        moving: !matchMedia(reducedMotion).matches,
        onShown: () => setShown(true),
        onColouring: setColouring,
      });
      if (controller.signal.aborted) cloud.current?.stop();
      else setMoving(cloud.current !== null && !matchMedia(reducedMotion).matches);
    };
    // The words of the page come first.
    const timer = setTimeout(() => {
      start().catch((error: unknown) => {
        // An empty place beside the words is no failure of the page.
        if (!controller.signal.aborted) console.warn(error);
      });
    }, 60);
    return () => {
      clearTimeout(timer);
      controller.abort();
      cloud.current?.stop();
    };
  }, []);

  const toggle = () => {
    cloud.current?.setMoving(!moving);
    setMoving(!moving);
  };

  return (
    <div className={cn('relative flex flex-col', className)}>
      <noscript>
        <SiteFigure
          name="cell-types"
          alt=""
          sizes="(min-width: 1024px) 640px, 92vw"
          className="absolute inset-x-0 top-0 h-[calc(100%-5.5rem)] rounded-xl object-contain"
        />
      </noscript>
      <canvas
        ref={canvas}
        aria-hidden
        className={cn('min-h-0 w-full flex-1 basis-0 transition-opacity duration-700', !shown && 'opacity-0')}
      />
      <div className="flex h-16 items-start justify-between gap-4">
        <div className="flex flex-col gap-1.5">
          <CloudLegend colouring={colouring} />
          <p className="text-muted text-xs">
            {bannerFacts.dataset}, {bannerFacts.count.toLocaleString('en-US')} cells, simulated
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon-sm"
          className={cn('text-muted', !shown && 'invisible')}
          aria-label={moving ? 'Pause animation' : 'Play animation'}
          onClick={toggle}
        >
          {moving ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
      </div>
    </div>
  );
}

function CloudLegend({ colouring }: { colouring: Colouring }) {
  const gene = colouring === null ? undefined : bannerFacts.genes[colouring];
  return (
    <div aria-hidden className="flex h-5 items-center gap-3 text-[13px] font-medium">
      {gene === undefined ? (
        <>
          <span>Cell type</span>
          <span className="flex gap-1">
            {bannerFacts.cellTypes.map((type) => (
              <span
                key={type}
                className="size-2 rounded-full"
                style={{ backgroundColor: `color-mix(in srgb, white var(--cell-lift), var(--cell-${type}))` }}
              />
            ))}
          </span>
        </>
      ) : (
        <>
          <span className="min-w-14 italic">{gene}</span>
          <span className="text-muted flex items-center gap-1.5 text-xs font-normal">
            none
            <span className="from-ramp-low via-ramp-mid to-ramp-high dark:from-ramp-high dark:to-ramp-low h-1.5 w-24 rounded-full bg-linear-to-r" />
            high
          </span>
        </>
      )}
    </div>
  );
}
