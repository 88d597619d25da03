export { PullLibraries, useGeneSetLibraries } from './gene-set-libraries.tsx';
