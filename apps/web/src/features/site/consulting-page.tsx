import { ClipboardList, DatabaseZap, GraduationCap, Sigma } from 'lucide-react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { SiteSection } from '@/components/site-section.tsx';
import { Button } from '@/components/ui/button.tsx';

const services = [
  {
    icon: DatabaseZap,
    title: 'Custom Data Annotation and Import',
    text: 'We clean your matrices, annotate cell types with you, and bring the dataset into Cellfolio with its metadata in order.',
  },
  {
    icon: GraduationCap,
    title: 'Training on the Platform',
    text: 'Remote sessions for your group, on your own questions: from a first gene to a defensible list of markers.',
  },
  {
    icon: ClipboardList,
    title: 'Front-to-Back Analysis Reports',
    text: 'From raw counts to a written report: methods, figures, tables and what they do and do not show.',
  },
  {
    icon: Sigma,
    title: 'Custom Signature Generation and Scoring',
    text: 'A signature for your state or target, tested for specificity, and scored across the datasets you care about.',
  },
] as const;

function ConsultingPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Consulting"
        description="Remote help with single-cell data from San Diego: annotation and import, training, analysis reports, custom signatures."
      />
      <SiteSection className="flex flex-col items-start gap-6 pb-8 md:pb-12">
        <h1 className="text-display max-w-[16ch] font-semibold text-balance">
          Another pair of hands for your data.
        </h1>
        <p className="text-lead text-muted max-w-[56ch] text-pretty">
          A San Diego-based team of single-cell analysts, working with you remotely. You keep the data and the
          figures.
        </p>
        <Button asChild size="lg">
          <Link to="/contact">Talk to Us</Link>
        </Button>
      </SiteSection>
      <SiteSection className="pt-0 md:pt-4">
        <ul className="grid gap-px overflow-hidden rounded-xl border bg-(--border) sm:grid-cols-2">
          {services.map(({ icon: Icon, title, text }) => (
            <li key={title} className="bg-surface flex flex-col gap-3 p-6 md:p-9">
              <Icon aria-hidden className="text-accent size-6" strokeWidth={1.75} />
              <h2 className="text-title font-semibold text-balance">{title}</h2>
              <p className="text-muted max-w-[46ch] text-base text-pretty">{text}</p>
            </li>
          ))}
        </ul>
      </SiteSection>
      <section className="border-t">
        <div className="mx-auto flex max-w-6xl flex-col items-start gap-6 px-5 py-16 md:px-8 md:py-20">
          <h2 className="text-headline max-w-[24ch] font-semibold text-balance">
            Tell us what you want to learn from your cells.
          </h2>
          <p className="text-lead text-muted max-w-[52ch] text-pretty">
            A few lines are enough: tissue, number of samples, the question. We reply with a plan and the work
            it takes.
          </p>
          <Button asChild size="lg" variant="secondary">
            <Link to="/contact">Contact Us</Link>
          </Button>
        </div>
      </section>
    </SiteLayout>
  );
}

export { ConsultingPage as Component };
