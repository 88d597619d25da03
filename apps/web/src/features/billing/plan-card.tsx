import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';
import type { Plan } from './plans.ts';

interface PlanCardProps {
  plan: Plan;
  /** The plan most people want; at most one. */
  foremost?: boolean;
  /** What leads to the plan. */
  children: ReactNode;
}

export function PlanCard({ plan, foremost = false, children }: PlanCardProps) {
  const { name, price, term, lead, features } = plan;
  return (
    <section
      aria-label={name}
      className={cn(
        'bg-surface flex flex-col gap-6 rounded-xl border p-6 md:p-8',
        foremost && 'border-accent',
      )}
    >
      <div className="flex flex-col gap-1">
        <h2 className="text-title font-semibold">{name}</h2>
        <p className="text-muted text-[15px]">{lead}</p>
      </div>
      <p className="flex flex-col gap-1">
        <span className="text-5xl font-semibold tracking-tight tabular-nums">${price}</span>
        <span className="text-muted">{term}</span>
      </p>
      {children}
      <ul className="flex flex-col gap-2.5 text-[15px]">
        {features.map((feature) => (
          <li key={feature} className="flex items-start gap-2.5">
            <Check aria-hidden className="text-accent mt-1 size-4 shrink-0" strokeWidth={2.25} />
            {feature}
          </li>
        ))}
      </ul>
    </section>
  );
}
