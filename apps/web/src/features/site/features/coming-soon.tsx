import { Activity, ChartScatter, GitBranch, MessagesSquare, Scale, Waypoints } from 'lucide-react';
import { SiteSection } from '@/components/site-section.tsx';
import { Badge } from '@/components/ui/badge.tsx';

const planned = [
  {
    icon: Scale,
    title: 'DEG Analysis',
    text: 'Differential expression between any two groups of cells or patients.',
  },
  { icon: Waypoints, title: 'Pathway Enrichment', text: 'Ranked enrichment over whole expression profiles.' },
  { icon: Activity, title: 'Gradient Analysis', text: 'Genes that rise or fall along an axis you draw.' },
  {
    icon: MessagesSquare,
    title: 'Cell-Cell Communication',
    text: 'Ligands, their receptors, and who may be talking to whom.',
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

export function ComingSoon() {
  return (
    <div className="bg-surface border-t">
      <SiteSection className="flex flex-col gap-10">
        <div className="flex flex-col gap-3">
          <h2 className="text-headline font-semibold">On the bench</h2>
          <p className="text-lead text-muted max-w-[56ch]">
            Six analyses that are being built. They are not here yet.
          </p>
        </div>
        <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
          {planned.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex flex-col items-start gap-2 border-t pt-5">
              <div className="flex w-full items-center justify-between gap-3">
                <Icon aria-hidden className="text-muted size-5" strokeWidth={1.75} />
                <Badge>Coming Soon</Badge>
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
