import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection } from '@/components/site-section.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { trialLength } from '@/lib/trial-length.ts';
import { PlanCard } from './plan-card.tsx';
import { freeTrial, professional, standard } from './plans.ts';
import { Questions } from './questions.tsx';
import { TrialExpired } from './trial-expired.tsx';
import { useCheckout } from './use-checkout.ts';

function PricingPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Pricing"
        description={`${trialLength()} free, then $300 per user and month. Professional, with your own data, for $450.`}
      />
      <TrialExpired />
      <PageIntro title="One price a person, a month at a time.">
        Begin with a trial that costs nothing. Stay if the figures end up in your papers.
      </PageIntro>
      <SiteSection className="py-12 md:py-16">
        <div className="grid items-stretch gap-5 lg:grid-cols-3">
          <PlanCard plan={freeTrial}>
            <Button asChild variant="secondary" size="lg">
              <Link to="/auth">Start Free Trial</Link>
            </Button>
          </PlanCard>
          <PlanCard plan={standard} foremost>
            <StandardButton />
          </PlanCard>
          <PlanCard plan={professional}>
            <Button size="lg" disabled>
              Coming Soon
            </Button>
          </PlanCard>
        </div>
        <p className="text-muted pt-6 text-sm">
          Billed monthly per user. Prices in US dollars. Teams and institutes:{' '}
          <Link to="/contact" className="text-accent underline underline-offset-4">
            write to us
          </Link>
          .
        </p>
      </SiteSection>
      <SiteSection className="grid gap-8 pt-4 md:grid-cols-[1fr_2fr] md:pt-8">
        <h2 className="text-headline font-semibold text-balance">Questions people ask</h2>
        <Questions />
      </SiteSection>
    </SiteLayout>
  );
}

function StandardButton() {
  const session = useSession();
  const checkout = useCheckout();
  // Not known yet, as on a page that was rendered beforehand: neither label may be the wrong one.
  if (session.status === 'loading') {
    return (
      <Button size="lg" disabled aria-busy>
        <Spinner />
        Upgrade
      </Button>
    );
  }
  if (session.status === 'signed-out') {
    return (
      <Button asChild size="lg">
        <Link to="/auth">Log In to Upgrade</Link>
      </Button>
    );
  }
  return (
    <Button size="lg" aria-disabled={checkout.opening} onClick={checkout.open}>
      {checkout.opening && <Spinner />}
      Get Started
    </Button>
  );
}

export { PricingPage as Component };
