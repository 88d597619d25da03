export { ConsultingPage as Component } from '@/features/site/consulting-page.tsx';
