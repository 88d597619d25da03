export { DesignPage as Component } from '@/features/design/design-page.tsx';
