export { ConsultingPage as Component } from '@/features/consulting/consulting-page.tsx';
