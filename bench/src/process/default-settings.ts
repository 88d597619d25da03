import { processingDefaults } from '@cellfolio/contract';
import type { ProcessSettings } from '@cellfolio/process';

const { deviations, ...others } = processingDefaults;

/** What a dataset is processed with where nothing was chosen. */
export const defaultSettings: ProcessSettings = { ...others, quality: { deviations } };
