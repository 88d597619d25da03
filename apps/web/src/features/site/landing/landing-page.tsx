import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { SiteSection, TrialCall } from '@/components/site-section.tsx';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { SiteFigure, type FigureName } from '../figures/site-figure.tsx';
import { BannerCloud } from './banner-cloud.tsx';

function LandingPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Cellfolio"
        description="Explore single-cell RNA data in your browser: any gene on a UMAP in well under a second, signatures, subsets, markers and pathways, and figures fit for a paper."
      />
      <Hero />
      <FeatureCards />
      <HowItWorks />
      <Trust />
      <TrialCall />
    </SiteLayout>
  );
}

function Hero() {
  return (
    <section className="mx-auto grid w-full max-w-6xl gap-x-4 px-5 pt-12 md:px-8 lg:min-h-[min(46rem,calc(100dvh-3.75rem))] lg:grid-cols-[minmax(0,27rem)_1fr] lg:pt-0">
      <div className="flex flex-col justify-center gap-6 lg:pb-16">
        <h1 className="text-display font-semibold text-balance">See any gene in every cell.</h1>
        <p className="text-lead text-muted max-w-[44ch] text-pretty">
          Open a single-cell RNA dataset in your browser. Search a gene, score a signature, select the cells
          that matter, and export figures ready for a paper.
        </p>
        <div className="flex flex-wrap gap-3 pt-2">
          <Button asChild size="lg">
            <Link to="/dataset-selector">Start Exploring</Link>
          </Button>
          <Button asChild size="lg" variant="secondary">
            <Link to="/demo/explorer">View Demo</Link>
          </Button>
        </div>
      </div>
      <BannerCloud className="mt-6 h-104 lg:mt-0 lg:-mr-6 lg:h-auto lg:pt-6 lg:pb-4 xl:-mr-20" />
    </section>
  );
}

const steps = [
  {
    title: 'Visualize Genes',
    text: 'Open a dataset and search one gene or twenty. Each comes as a UMAP and, if you like, as violins by cell type.',
  },
  {
    title: 'Filter Cell Subsets',
    text: 'Keep the cells of a type, a cluster, a patient group, or those that express your gene. Save the subset and come back to it.',
  },
  {
    title: 'Analyze & Export',
    text: 'Find markers and pathways of the remaining cells. Download figures as PNG or SVG and tables as CSV.',
  },
] as const;

function HowItWorks() {
  return (
    <div className="bg-surface border-y">
      <SiteSection className="flex flex-col gap-10">
        <h2 id="how-it-works" className="text-headline font-semibold">
          How It Works
        </h2>
        <ol aria-labelledby="how-it-works" className="grid gap-10 md:grid-cols-3 md:gap-8">
          {steps.map(({ title, text }, i) => (
            <li key={title} className="flex flex-col gap-3 border-t pt-5">
              <span aria-hidden className="text-accent text-sm font-semibold tabular-nums">
                {i + 1}
              </span>
              <h3 className="text-title font-semibold">{title}</h3>
              <p className="text-muted text-base text-pretty">{text}</p>
            </li>
          ))}
        </ol>
      </SiteSection>
    </div>
  );
}

const half = '(min-width: 768px) 45vw, 92vw';
const third = '(min-width: 1152px) 350px, (min-width: 768px) 30vw, 92vw';

function FeatureCards() {
  return (
    <SiteSection className="flex flex-col gap-10">
      <div className="flex flex-col gap-3">
        <h2 className="text-headline max-w-[22ch] font-semibold text-balance">
          From a symbol to a figure, without a script.
        </h2>
        <p className="text-lead text-muted max-w-[60ch] text-pretty">
          Everything below was drawn by Cellfolio from one simulated breast tumor dataset, exactly as you
          would see it.
        </p>
      </div>
      <div className="grid gap-5 md:grid-cols-6">
        <FeatureCard
          className="md:col-span-3"
          title="Genes in a moment"
          figure="gene"
          alt="UMAP of 5,198 cells colored by EPCAM expression; the epithelial clusters are dark, most other cells gray."
          sizes={half}
        >
          Type a symbol or an Ensembl id. The cells that express it come to the front, on a color scale that
          also works in grayscale.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-3"
          title="Signatures, scored"
          figure="signature"
          alt="UMAP colored by a seven-gene exhaustion score; part of the T cell cluster stands out dark."
          sizes={half}
        >
          A handful of genes becomes one score per cell, computed as in scanpy. Or pick one of 50 hallmark
          cell states.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-2"
          title="Expression by cell type"
          figure="gene-violin"
          alt="Violins of EPCAM for ten cell types; only epithelial cells are high."
          sizes={third}
        >
          Violins with quartiles and the share of expressing cells.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-2"
          title="Cells you choose"
          figure="isolated"
          alt="UMAP with the 1,508 T cells in blue and all other cells gray."
          sizes={third}
        >
          Isolate types and Leiden clusters, filter by gene or score, and save the subset.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-2"
          title="Pathways behind a list"
          figure="enrichment"
          alt="Bar chart of enriched hallmark gene sets; E2F targets and G2M checkpoint lead."
          sizes={third}
        >
          Over-representation against KEGG, Hallmark, GO and Reactome, with a table for your supplement.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-6"
          title="Markers of every group"
          figure="markers"
          alt="Dot plot of three marker genes for each of ten cell types; the dots lie on a diagonal."
          sizes="(min-width: 1152px) 1080px, 92vw"
          wide
        >
          Wilcoxon or t-test, corrected for the number of genes, agreeing with scanpy to six decimals. Dot
          plot and CSV in one click.
        </FeatureCard>
      </div>
    </SiteSection>
  );
}

interface FeatureCardProps {
  title: string;
  figure: FigureName;
  alt: string;
  sizes: string;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

function FeatureCard({ title, figure, alt, sizes, wide = false, className, children }: FeatureCardProps) {
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

const reasons = [
  {
    title: 'The numbers you would get yourself',
    text: 'Scores, marker tests and enrichment are checked against scanpy and gseapy, value by value, to one part in a million.',
  },
  {
    title: 'Figures that say what they show',
    text: 'Every figure names its dataset, its subset and its number of cells. Missing genes are named, not skipped.',
  },
  {
    title: 'Your files, your formats',
    text: 'Datasets are AnnData: upload an .h5ad or 10x matrices, download tables and figures, and call everything from a script.',
  },
] as const;

function Trust() {
  return (
    <SiteSection>
      <dl className="grid gap-10 md:grid-cols-3 md:gap-8">
        {reasons.map(({ title, text }) => (
          <div key={title} className="flex flex-col gap-2">
            <dt className="text-lg font-semibold tracking-tight text-balance">{title}</dt>
            <dd className="text-muted text-base text-pretty">{text}</dd>
          </div>
        ))}
      </dl>
    </SiteSection>
  );
}

export { LandingPage as Component };
