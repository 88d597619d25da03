import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { SiteFigure } from './figures/site-figure.tsx';
import type { FigureName } from './figures/site-figure.tsx';

function DemoPage() {
  const { index, go } = useDemoStep();
  const step = demoSteps[index] ?? demoSteps[0];
  const last = index === demoSteps.length - 1;
  if (step === undefined) return null;
  return (
    <SiteLayout>
      <PageMeta
        title="Demo"
        description="Seven steps through a simulated breast tumor dataset: cell types, a gene, a signature, markers and pathways."
      />
      <div className="mx-auto grid w-full max-w-6xl gap-x-12 gap-y-6 px-5 py-8 md:px-8 lg:grid-cols-[minmax(0,24rem)_1fr] lg:py-10">
        {/* First in the document too: browsers paint what has arrived, and the text would move down. */}
        <div className="bg-figure flex aspect-6/5 items-center rounded-xl border p-4 md:p-6 lg:col-start-2 lg:row-start-1 lg:self-start">
          <SiteFigure
            key={step.figure}
            name={step.figure}
            alt={step.alt}
            eager
            sizes="(min-width: 1024px) 1200px, 92vw"
            className="max-h-full object-contain"
          />
        </div>
        <div className="flex flex-col gap-6 lg:col-start-1 lg:row-start-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-sm font-semibold">Triple-negative breast tumors</h1>
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
      </div>
    </SiteLayout>
  );
}

const nothing = () => () => {};

function useDemoStep(): { index: number; go: (index: number) => void } {
  const [params, setParams] = useSearchParams();
  // The page as it was rendered beforehand knows no address: it is the first step.
  const here = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const named = here ? demoSteps.findIndex(({ id }) => id === params.get('step')) : 0;
  const index = Math.max(named, 0);
  const go = (next: number) => {
    const step = demoSteps[next];
    if (step === undefined) return;
    setParams(next === 0 ? {} : { step: step.id }, { replace: true, preventScrollReset: true });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      if (event.key === 'ArrowRight') go(index + 1);
      if (event.key === 'ArrowLeft') go(index - 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return { index, go };
}

interface DemoStep {
  /** Used in the address, as `/demo?step=…`. */
  id: string;
  title: string;
  action: string;
  text: string;
  figure: FigureName;
  alt: string;
}

const demoSteps: readonly DemoStep[] = [
  {
    id: 'dataset',
    title: 'Six tumors, 5,198 cells',
    action: 'Open a dataset',
    text: 'Each point is a cell; cells with similar expression are close together. Ten cell types, named in the file. Each tumor forms its own island, because no two tumors are alike.',
    figure: 'cell-types',
    alt: 'UMAP of 5,198 cells colored by ten cell types; T cells form the largest cluster, epithelial cells six islands.',
  },
  {
    id: 'gene',
    title: 'Which cells are epithelial?',
    action: 'Search EPCAM, Visualize Selected Genes',
    text: 'One gene, drawn over every cell. EPCAM marks the tumor islands; a third of all cells have at least one count of it, most of them only a trace.',
    figure: 'gene',
    alt: 'UMAP colored by EPCAM expression; the epithelial islands are dark, most other cells gray.',
  },
  {
    id: 'violin',
    title: 'How sure can you be?',
    action: 'Tick Generate Expression by Cell Type Violin Plot',
    text: 'The same gene as violins: median, quartiles and the share of cells that express it. More than 99.9 % of epithelial cells do; in every other type it is 12 % or less.',
    figure: 'gene-violin',
    alt: 'Violins of EPCAM for ten cell types; epithelial cells have a median near 3.6, all others near 0.',
  },
  {
    id: 'signature',
    title: 'Which T cells are exhausted?',
    action: 'Score a signature of PDCD1, LAG3, HAVCR2, TIGIT, CTLA4, TOX and CXCL13',
    text: 'Seven genes become one score per cell, compared with control genes of similar expression. Only one corner of the T cells stands out.',
    figure: 'signature',
    alt: 'UMAP colored by an exhaustion score; one corner of the T cell cluster is dark.',
  },
  {
    id: 'state',
    title: 'Where is oxygen low?',
    action: 'Choose HYPOXIA under Cell State Visualization',
    text: 'Fifty hallmark states are ready to draw. Hypoxia is high in parts of some tumors. The gene set is the complete one of MSigDB; the figure names its release.',
    figure: 'cell-state',
    alt: 'UMAP colored by the hypoxia score; parts of several epithelial islands are dark.',
  },
  {
    id: 'markers',
    title: 'What distinguishes the types?',
    action: 'Run Marker Analysis, grouped by cell type',
    text: 'Every gene tested in every group by Wilcoxon, corrected for the number of genes. Three markers per type; dots grow with the share of cells and darken with the mean.',
    figure: 'markers',
    alt: 'Dot plot of three marker genes for each of ten cell types; the dots lie on a diagonal.',
  },
  {
    id: 'pathways',
    title: 'What do ten genes have in common?',
    action: 'Run Gene Set Enrichment on MKI67, TOP2A and eight more',
    text: 'E2F targets and the G2M checkpoint: these cells divide. Each bar shows how many genes of the list are in the set. Download the table as CSV.',
    figure: 'enrichment',
    alt: 'Bar chart of enriched hallmark gene sets; E2F targets and G2M checkpoint lead, five pass the threshold.',
  },
];

export { DemoPage as Component };
