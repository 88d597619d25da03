import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';
import { trialLength } from '@/lib/trial-length.ts';

interface PlanCardProps {
  plan: Plan;
  /** The recommended plan; at most one. */
  foremost?: boolean;
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

interface Plan {
  name: string;
  /** US dollars; for paid plans, per user and month. */
  price: number;
  term: string;
  lead: string;
  features: readonly string[];
}

/** Storage of a user such as `200 GB`, from the page, where the server writes it (`USER_STORAGE_GB`). */
function userStorage(): string {
  const placeholder = 'user-storage.invalid';
  if (typeof document === 'undefined') return placeholder;
  return document.documentElement.dataset['userStorage'] ?? placeholder;
}

export const freeTrial: Plan = {
  name: 'Free Trial',
  price: 0,
  term: `for ${trialLength()}`,
  lead: 'Try it with every public dataset.',
  features: ['Basic access', 'Gene search', 'Cell type filtering', 'UMAP export', 'Public datasets'],
};

export const standardPlan: Plan = {
  name: 'Standard',
  price: 300,
  term: 'per user per month',
  lead: 'For regular work with single-cell data.',
  features: [
    'Unlimited access',
    'Advanced gene search',
    'Cell type isolation and comparison',
    'High-res UMAP exports',
    'Public database',
    'Advanced analysis',
  ],
};

export const professionalPlan: Plan = {
  name: 'Professional',
  price: 450,
  term: 'per user per month',
  lead: 'For groups with their own data.',
  features: [
    'Everything in Standard',
    'Custom data upload',
    'AI Image Analysis',
    `${userStorage()} private dataset storage`,
    'Dedicated success manager',
  ],
};
