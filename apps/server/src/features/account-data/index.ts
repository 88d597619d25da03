export { accountArchive } from './account-archive.ts';
export { clearBytes, deleteAccount } from './delete-account.ts';
