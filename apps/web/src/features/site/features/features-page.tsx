import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection } from '@/components/site-section.tsx';
import { TrialCall } from '@/components/trial-call.tsx';
import { ComingSoon } from './coming-soon.tsx';
import { coreFeatures } from './core-features.ts';
import { FeatureRow } from './feature-row.tsx';

function FeaturesPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Features"
        description="Gene search, signature scores, cell type isolation, saved subsets, marker genes and gene set enrichment for single-cell RNA data, in the browser."
      />
      <PageIntro title="Everything between a dataset and a figure.">
        Six tools that share one dataset, one subset and one set of colours. The images are what they make,
        from simulated demo data.
      </PageIntro>
      <SiteSection className="pb-6 md:pt-16 md:pb-8">
        {coreFeatures.map((feature, i) => (
          <FeatureRow key={feature.title} {...feature} turned={i % 2 === 1} />
        ))}
      </SiteSection>
      <ComingSoon />
      <TrialCall />
    </SiteLayout>
  );
}

export { FeaturesPage as Component };
