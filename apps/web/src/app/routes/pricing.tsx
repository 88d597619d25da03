export { PricingPage as Component } from '@/features/billing/pricing-page.tsx';
