import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { SiteFigure } from '../figures/site-figure.tsx';
import { cn } from '@/lib/cn.ts';
import { demoSteps } from './demo-steps.ts';
import { useDemoStep } from './use-demo-step.ts';

/** A look at one dataset without an account: the figures that the tool made of it, in the order of a real question. */
function DemoPage() {
  const { index, go } = useDemoStep();
  const step = demoSteps[index] ?? demoSteps[0];
  const last = index === demoSteps.length - 1;
  if (step === undefined) return null;
  return (
    <SiteLayout>
      <PageMeta
        title="Demo"
        description="Seven steps through a simulated breast tumour dataset: cell types, a gene, a signature, markers and pathways."
      />
      <div className="mx-auto grid w-full max-w-6xl gap-x-12 gap-y-6 px-5 py-8 md:px-8 lg:grid-cols-[minmax(0,24rem)_1fr] lg:py-10">
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-sm font-semibold">Triple-negative breast tumours</h1>
            <Badge variant="warning">Simulated</Badge>
          </div>
          <nav aria-label="Steps of the demo">
            <ol className="flex gap-1.5">
              {demoSteps.map(({ id, title }, i) => (
                <li key={id} className="flex-1">
                  <button
                    type="button"
                    aria-label={`Step ${i + 1}: ${title}`}
                    aria-current={i === index ? 'step' : undefined}
                    onClick={() => go(i)}
                    className="group flex h-6 w-full items-center rounded-sm"
                  >
                    <span
                      className={cn(
                        'bg-surface-3 group-hover:bg-input h-1 w-full rounded-full transition-colors',
                        i <= index && 'bg-accent group-hover:bg-accent-hover',
                      )}
                    />
                  </button>
                </li>
              ))}
            </ol>
          </nav>
          <div aria-live="polite" className="flex flex-col gap-4 lg:min-h-96">
            <p className="text-muted text-sm tabular-nums">
              Step {index + 1} of {demoSteps.length}
            </p>
            <h2 className="text-headline font-semibold text-balance">{step.title}</h2>
            <p className="text-base text-pretty">{step.text}</p>
            <p className="border-l-accent text-muted border-l-2 pl-3 text-sm text-pretty">
              <span className="text-foreground font-medium">In the explorer: </span>
              {step.action}
            </p>
          </div>
          <noscript>
            <p className="text-muted text-sm">The other six steps need JavaScript.</p>
          </noscript>
          <div className="flex items-center gap-2 noscript:hidden">
            <Button
              variant="secondary"
              size="lg"
              className="px-4"
              disabled={index === 0}
              onClick={() => go(index - 1)}
            >
              <ArrowLeft aria-hidden />
              Previous
            </Button>
            {last ? (
              <Button asChild size="lg">
                <Link to="/auth">Start Free Trial</Link>
              </Button>
            ) : (
              <Button size="lg" className="px-4" onClick={() => go(index + 1)}>
                Next
                <ArrowRight aria-hidden />
              </Button>
            )}
          </div>
          <p className="text-muted hidden text-[13px] lg:block noscript:hidden">The arrow keys work too.</p>
        </div>
        <div className="bg-figure order-first flex aspect-6/5 items-center rounded-xl border p-4 md:p-6 lg:order-none lg:self-start">
          <SiteFigure
            key={step.figure}
            name={step.figure}
            alt={step.alt}
            eager
            sizes="(min-width: 1024px) 1200px, 92vw"
            className="max-h-full object-contain"
          />
        </div>
      </div>
    </SiteLayout>
  );
}

export { DemoPage as Component };
