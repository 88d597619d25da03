export { DemoPage as Component } from '@/features/site/demo/demo-page.tsx';
