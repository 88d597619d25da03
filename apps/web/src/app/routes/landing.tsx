export { LandingPage as Component } from '@/features/site/landing/landing-page.tsx';
