import { cn } from '@/lib/cn.ts';
import { SiteFigure } from '../figures/site-figure.tsx';
import type { FigureName } from '../figures/site-figures.ts';

interface FeatureRowProps {
  title: string;
  text: string;
  points: readonly string[];
  figure: FigureName;
  alt: string;
  /** The figure on the left. */
  turned: boolean;
}

/** A feature beside an image of it. */
export function FeatureRow({ title, text, points, figure, alt, turned }: FeatureRowProps) {
  return (
    <article
      className={cn(
        'grid items-center gap-8 border-t py-12 md:gap-14 md:py-16',
        turned ? 'md:grid-cols-[6fr_5fr]' : 'md:grid-cols-[5fr_6fr]',
      )}
    >
      <div className={cn('flex flex-col gap-4', turned && 'md:order-2')}>
        <h2 className="text-title font-semibold md:text-[1.75rem]">{title}</h2>
        <p className="text-muted max-w-[48ch] text-base text-pretty">{text}</p>
        <ul className="flex flex-col">
          {points.map((point) => (
            <li key={point} className="border-b py-2.5 text-[15px] last:border-b-0">
              {point}
            </li>
          ))}
        </ul>
      </div>
      <div className="bg-figure rounded-xl border p-5">
        <SiteFigure name={figure} alt={alt} sizes="(min-width: 768px) 700px, 90vw" />
      </div>
    </article>
  );
}
