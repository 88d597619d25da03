import { SiteSection } from '@/components/site-section.tsx';

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
    text: 'Find markers and pathways of what is left. Take the figures as PNG or SVG and the tables as CSV.',
  },
] as const;

export function HowItWorks() {
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
