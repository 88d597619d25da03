import { SiteSection } from '@/components/site-section.tsx';
import { FeatureCard } from '../figures/feature-card.tsx';

const half = '(min-width: 768px) 45vw, 92vw';
const third = '(min-width: 1152px) 350px, (min-width: 768px) 30vw, 92vw';

export function FeatureCards() {
  return (
    <SiteSection className="flex flex-col gap-10">
      <div className="flex flex-col gap-3">
        <h2 className="text-headline max-w-[22ch] font-semibold text-balance">
          From a symbol to a figure, without a script.
        </h2>
        <p className="text-lead text-muted max-w-[60ch] text-pretty">
          Everything below was drawn by Cellfolio from one simulated breast tumour dataset, exactly as you
          would see it.
        </p>
      </div>
      <div className="grid gap-5 md:grid-cols-6">
        <FeatureCard
          className="md:col-span-3"
          title="Genes in a moment"
          figure="gene"
          alt="UMAP of 5,198 cells coloured by EPCAM expression; the epithelial clusters are dark, most other cells grey."
          sizes={half}
        >
          Type a symbol or an Ensembl id. The cells that express it come to the front, on a colour scale that
          survives a grey print.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-3"
          title="Signatures, scored"
          figure="signature"
          alt="UMAP coloured by a seven-gene exhaustion score; part of the T cell cluster stands out dark."
          sizes={half}
        >
          A handful of genes becomes one score a cell, computed as scanpy computes it, or pick one of 50
          hallmark cell states.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-2"
          title="Expression by cell type"
          figure="gene-violin"
          alt="Violins of EPCAM for ten cell types; only epithelial cells are high."
          sizes={third}
        >
          Violins with quartiles and the share of cells that express at all.
        </FeatureCard>
        <FeatureCard
          className="md:col-span-2"
          title="Cells you choose"
          figure="isolated"
          alt="UMAP with the 1,508 T cells in blue and all other cells grey."
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
