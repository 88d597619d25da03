import { Activity, ChartScatter, GitBranch, MessagesSquare, Scale, Waypoints } from 'lucide-react';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection, TrialCall } from '@/components/site-section.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { cn } from '@/lib/cn.ts';
import { SiteFigure, type FigureName } from './figures/site-figure.tsx';

function FeaturesPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Features"
        description="Gene search, signature scores, cell type isolation, saved subsets, marker genes and gene set enrichment for single-cell RNA data, in the browser."
      />
      <PageIntro title="Everything between a dataset and a figure.">
        Six tools that share one dataset, one subset and one set of colors. All images were made with them,
        from simulated demo data.
      </PageIntro>
      <SiteSection className="pb-6 md:pt-16 md:pb-8">
        {coreFeatures.map((feature, i) => (
          <FeatureRow key={feature.title} {...feature} turned={i % 2 === 1} />
        ))}
      </SiteSection>
      <FurtherAnalyses />
      <TrialCall />
    </SiteLayout>
  );
}

interface FeatureRowProps {
  title: string;
  text: string;
  points: readonly string[];
  figure: FigureName;
  alt: string;
  turned: boolean;
}

function FeatureRow({ title, text, points, figure, alt, turned }: FeatureRowProps) {
  return (
    <article
      className={cn(
        'grid items-center gap-8 border-t py-12 md:gap-14 md:py-16',
        turned ? 'md:grid-cols-[6fr_5fr]' : 'md:grid-cols-[5fr_6fr]',
      )}
    >
      <div className={cn('flex flex-col gap-4', turned && 'md:col-start-2')}>
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
      <div className={cn('bg-figure rounded-xl border p-5', turned && 'md:col-start-1 md:row-start-1')}>
        <SiteFigure name={figure} alt={alt} sizes="(min-width: 768px) 700px, 90vw" />
      </div>
    </article>
  );
}

interface CoreFeature {
  title: string;
  text: string;
  points: readonly string[];
  figure: FigureName;
  alt: string;
}

const coreFeatures: readonly CoreFeature[] = [
  {
    title: 'Gene Visualization',
    text: 'Search by symbol or Ensembl id, one gene or many. Each is drawn over the whole dataset or over the subset you work with.',
    points: [
      'Suggestions after the first letter, from the genes in the dataset',
      'UMAP and violins by cell type, side by side',
      'Genes that were not found are named',
    ],
    figure: 'gene',
    alt: 'UMAP of 5,198 cells colored by EPCAM expression; the epithelial clusters are dark, most other cells gray.',
  },
  {
    title: 'Signature Scoring',
    text: 'Paste the genes of a signature and see it as one score per cell, against control genes of similar expression.',
    points: [
      'The same scores as scanpy, on all cells or a subset',
      'Fifty hallmark cell states ready to draw',
      'Violins show how the groups compare',
    ],
    figure: 'signature-violin',
    alt: 'Violins of an exhaustion score for ten cell types; only T cells reach high scores.',
  },
  {
    title: 'Cell Type and Cluster Isolation',
    text: 'Bring one cell type forward over the gray of the others, then look inside it by Leiden cluster.',
    points: [
      'Counts beside every type and cluster',
      'Ten colors, distinct for every kind of color vision',
      'The same colors in every figure',
    ],
    figure: 'isolated',
    alt: 'UMAP with the 1,508 T cells in blue and all other cells gray.',
  },
  {
    title: 'Cell Subsets',
    text: 'Combine filters on genes, signatures, cell types and patient metadata. Name the subset; every figure says which one it shows.',
    points: [
      'Positive, negative or between two percentiles',
      'Save, change and reuse',
      'Markers and pathways of the subset only',
    ],
    figure: 'cell-state',
    alt: 'UMAP colored by the score of the hypoxia hallmark; some epithelial clusters are dark.',
  },
  {
    title: 'Marker Analysis',
    text: 'What distinguishes one group of cells from all others: ranked genes with adjusted p-values and fold changes, by Wilcoxon or t-test.',
    points: [
      'Any categorical column as the grouping',
      'Dot plot as PNG or SVG',
      'marker_genes.csv with every value',
    ],
    figure: 'markers',
    alt: 'Dot plot of three marker genes for each of ten cell types; the dots lie on a diagonal.',
  },
  {
    title: 'Gene Set Enrichment',
    text: 'From a gene list to the pathways behind it, against KEGG, Hallmark, GO Biological Process and Reactome.',
    points: [
      'Tested against the genes of your dataset',
      'Bar plot with the number of genes behind each term',
      'pathway_analysis.csv for the supplement',
    ],
    figure: 'enrichment',
    alt: 'Bar chart of enriched hallmark gene sets; E2F targets and G2M checkpoint lead.',
  },
];

const further = [
  {
    icon: Scale,
    title: 'DEG Analysis',
    text: 'Differential expression between any two groups of cells, with samples as the replicates.',
  },
  { icon: Waypoints, title: 'Pathway Enrichment', text: 'Ranked enrichment over whole expression profiles.' },
  {
    icon: Activity,
    title: 'Gradient Analysis',
    text: 'Genes that rise or fall along a gene, a score, pseudotime or a line on the map.',
  },
  {
    icon: MessagesSquare,
    title: 'Cell-Cell Communication',
    text: 'Ligands and receptors: which cell types may signal to each other.',
  },
  {
    icon: GitBranch,
    title: 'Trajectory Analysis',
    text: 'Branches and pseudotime through developing cells.',
  },
  {
    icon: ChartScatter,
    title: 'Co-Expression Analysis',
    text: 'Genes that move together, within a type and across.',
  },
] as const;

function FurtherAnalyses() {
  return (
    <div className="bg-surface border-t">
      <SiteSection className="flex flex-col gap-10">
        <div className="flex flex-col gap-3">
          <h2 className="text-headline font-semibold">And for harder questions</h2>
          <p className="text-lead text-muted max-w-[56ch]">
            Six more analyses, each with figures, the full table and the limits of its result.
          </p>
        </div>
        <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
          {further.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex flex-col items-start gap-2 border-t pt-5">
              <div className="flex w-full items-center justify-between gap-3">
                <Icon aria-hidden className="text-muted size-5" strokeWidth={1.75} />
                <Badge>Available</Badge>
              </div>
              <h3 className="pt-1 text-base font-semibold">{title}</h3>
              <p className="text-muted text-[15px] text-pretty">{text}</p>
            </li>
          ))}
        </ul>
      </SiteSection>
    </div>
  );
}

export { FeaturesPage as Component };
