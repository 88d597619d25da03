export { FeaturesPage as Component } from '@/features/site/features/features-page.tsx';
