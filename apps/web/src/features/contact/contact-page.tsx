import type { ReactNode } from 'react';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { PageIntro, SiteSection } from '@/components/site-section.tsx';
import { ContactForm } from './contact-form.tsx';

const officeHours = [
  ['Mon-Fri', '9:00 AM-6:00 PM PST'],
  ['Sat', '10:00 AM-2:00 PM PST'],
  ['Sun', 'Closed'],
] as const;

function ContactPage() {
  return (
    <SiteLayout>
      <PageMeta
        title="Contact"
        description="Questions about datasets, plans or an analysis: write to the Cellfolio team in San Diego."
      />
      <PageIntro title="Write to us.">
        Ask about a dataset, a plan, or an analysis you are unsure about. Single-cell analysts answer.
      </PageIntro>
      <SiteSection className="grid gap-12 pt-12 md:grid-cols-[2fr_1fr] md:gap-16 md:pt-14">
        <ContactForm />
        <div className="flex flex-col gap-10">
          <Detail title="Location">
            <p>San Diego, California</p>
            <p className="text-muted">We work with groups everywhere, remotely.</p>
          </Detail>
          <Detail title="Office hours">
            <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 tabular-nums">
              {officeHours.map(([days, hours]) => (
                <div key={days} className="contents">
                  <dt className="text-muted">{days}</dt>
                  <dd>{hours}</dd>
                </div>
              ))}
            </dl>
          </Detail>
        </div>
      </SiteSection>
    </SiteLayout>
  );
}

function Detail({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-t pt-5 text-[15px]">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

export { ContactPage as Component };
