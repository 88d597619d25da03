/** Exports for processes that work on files; none of them loads a schema, which would take a fifth of a second. */
export { dropletDefaults, processingDefaults } from './processing-defaults.ts';
export { partChoice, samplesDone, samplesOfFile } from './samples-done.ts';
export { isDatasetFile, uploadKind } from './upload-kinds.ts';
