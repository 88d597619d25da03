export { UploadDataPage as Component } from '@/features/upload-data/upload-data-page.tsx';
