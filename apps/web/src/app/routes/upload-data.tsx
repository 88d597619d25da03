import { whenStarted } from '@/app/when-started.tsx';
import { UploadDataPage } from '@/features/uploads/upload-data-page.tsx';

export const Component = whenStarted(UploadDataPage);
