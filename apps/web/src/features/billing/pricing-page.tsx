import { CircleAlert, Plus } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection } from '@/components/site-section.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { useSession } from '@/lib/services.ts';
import { trialExpiredText, trialLength } from '@/lib/trial-length.ts';
import { useCheckout } from './payment-pages.ts';
import { freeTrial, PlanCard, professionalPlan, standardPlan } from './plans.tsx';

function PricingPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Pricing"
        description={`${trialLength()} free, then $${standardPlan.price} per user and month. Professional, with your own data, for $${professionalPlan.price}.`}
      />
      <TrialExpired />
      <PageIntro title="One price per user, billed monthly.">
        Start with a free trial. Stay if the figures end up in your papers.
      </PageIntro>
      <SiteSection className="py-12 md:py-16">
        <div className="grid items-stretch gap-5 lg:grid-cols-3">
          <PlanCard plan={freeTrial}>
            <Button asChild variant="secondary" size="lg">
              <Link to="/auth">Start Free Trial</Link>
            </Button>
          </PlanCard>
          <PlanCard plan={standardPlan} foremost>
            <StandardButton />
          </PlanCard>
          <PlanCard plan={professionalPlan}>
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
        <h2 className="text-headline font-semibold text-balance">Frequently asked questions</h2>
        <Questions />
      </SiteSection>
    </SiteLayout>
  );
}

function StandardButton() {
  const session = useSession();
  const checkout = useCheckout();
  // Unknown at first, as in the prerendered page: show neither label.
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

const nothing = () => () => {};

/** Shown if the URL requests it; never in the prerendered page, which has no query. */
function TrialExpired() {
  const [params] = useSearchParams();
  const here = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  if (!here || params.get('trial_expired') !== 'true') return null;
  return (
    <div className="mx-auto w-full max-w-6xl px-5 pt-6 md:px-8">
      <Alert variant="danger" role="alert" className="px-4 py-3 text-[15px] font-medium">
        <CircleAlert aria-hidden />
        {trialExpiredText()}
      </Alert>
    </div>
  );
}

const questions = [
  {
    question: 'Can I upload my own data?',
    answer:
      'Custom data upload is part of the Professional plan only. Trial and Standard work with the public datasets.',
  },
  {
    question: 'What happens when the trial ends?',
    answer: `After ${trialLength()} the explorer asks for a plan. Your account, saved subsets and images are kept.`,
  },
  {
    question: 'How does billing work?',
    answer: 'Monthly, per user. You can add or remove users at any time; billing adjusts for the next cycle.',
  },
  {
    question: 'How do I cancel or change my payment method?',
    answer:
      'On your account page, Manage Subscription opens the customer portal: change payment methods, download invoices or cancel there.',
  },
  {
    question: 'Which analyses are in the Standard plan?',
    answer:
      'All of them: gene and signature visualization, cell type and cluster isolation, saved subsets, marker analysis, gene set enrichment, DEG analysis, pathway enrichment of a whole ranking, gradient analysis, cell-cell communication, trajectory analysis and co-expression analysis, with export. AI image analysis is part of Professional.',
  },
] as const;

/** Works without JavaScript. */
function Questions() {
  return (
    <div className="border-t">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-b">
          <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-5 text-[17px] font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <Plus
              aria-hidden
              className="text-muted size-5 shrink-0 transition-transform duration-150 group-open:rotate-45"
            />
          </summary>
          <p className="text-muted max-w-[62ch] pb-6 text-base text-pretty">{answer}</p>
        </details>
      ))}
    </div>
  );
}

export { PricingPage as Component };
