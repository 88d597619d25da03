import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { TrialCall } from '@/components/trial-call.tsx';
import { FeatureCards } from './feature-cards.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Trust } from './trust.tsx';

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

export { LandingPage as Component };
