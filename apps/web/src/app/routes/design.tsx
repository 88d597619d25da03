export { DesignPage as Component } from '@/features/site/design/design-page.tsx';
