export { FeaturesPage as Component } from '@/features/features-page/features-page.tsx';
