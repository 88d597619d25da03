export { DemoPage as Component } from '@/features/demo/demo-page.tsx';
