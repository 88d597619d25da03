import { trialLength } from '@/lib/trial-length.ts';

export interface Plan {
  name: string;
  /** US dollars; for plans that cost, per user and month. */
  price: number;
  term: string;
  lead: string;
  features: readonly string[];
}

export const freeTrial: Plan = {
  name: 'Free Trial',
  price: 0,
  term: `for ${trialLength()}`,
  lead: 'To try it with every public dataset.',
  features: ['Basic access', 'Gene search', 'Cell type filtering', 'UMAP export', 'Public datasets'],
};

export const standard: Plan = {
  name: 'Standard',
  price: 300,
  term: 'per user per month',
  lead: 'For weekly work with cells.',
  features: [
    'Unlimited access',
    'Advanced gene search',
    'Cell type isolation and comparison',
    'High-res UMAP exports',
    'Public database',
    'Advanced analysis',
  ],
};

export const professional: Plan = {
  name: 'Professional',
  price: 450,
  term: 'per user per month',
  lead: 'For groups with data of their own.',
  features: [
    'Everything in Standard',
    'Custom data upload',
    'AI Image Analysis',
    '200 GB private dataset storage',
    'Dedicated success manager',
  ],
};
