import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';
import { SiteFigure } from './site-figure.tsx';
import type { FigureName } from './site-figures.ts';

interface FeatureCardProps {
  title: string;
  figure: FigureName;
  alt: string;
  sizes: string;
  /** Words and figure side by side where there is room. */
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

/** What the product does, in two sentences, above the figure that it makes. */
export function FeatureCard({
  title,
  figure,
  alt,
  sizes,
  wide = false,
  className,
  children,
}: FeatureCardProps) {
  return (
    <article
      className={cn(
        'bg-surface flex flex-col overflow-hidden rounded-xl border',
        wide && 'lg:grid lg:grid-cols-[minmax(0,19rem)_1fr]',
        className,
      )}
    >
      <div className={cn('flex flex-col gap-1.5 p-6', wide && 'lg:self-center')}>
        <h3 className="text-title font-semibold">{title}</h3>
        <p className="text-muted max-w-[46ch] text-[15px] text-pretty">{children}</p>
      </div>
      <div className="bg-figure mt-auto border-t px-5 py-4 lg:border-t-0 lg:first:border-t-0">
        <SiteFigure name={figure} alt={alt} sizes={sizes} />
      </div>
    </article>
  );
}
