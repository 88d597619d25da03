export { PullLibraries } from './pull-libraries.tsx';
export { useGeneSetLibraries } from './use-gene-set-libraries.ts';
