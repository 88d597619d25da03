import { SiteSection } from '@/components/site-section.tsx';

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
    text: 'Datasets are AnnData: bring an .h5ad or 10x matrices, take tables and figures home, and call everything from a script.',
  },
] as const;

/** Why a scientist may believe what the figures say. */
export function Trust() {
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
