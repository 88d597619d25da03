/** What processes that work on files go by: none of it loads a schema, which would take them a fifth of a second. */
export { dropletDefaults, processingDefaults } from './processing-defaults.ts';
export { partChoice, samplesDone, samplesOfFile } from './samples-done.ts';
export { isDatasetFile, uploadKind } from './upload-kinds.ts';
