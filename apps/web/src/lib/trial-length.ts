/** Stands for the length of the trial in pages that were rendered when the site was built; the server fills it in. */
const placeholder = 'trial-length.invalid';

/**
 * Length of the free trial, such as `7 days`, as the page that the server sent says it (`data-trial-length`), so that
 * what is rendered here is what was rendered beforehand.
 */
export function trialLength(): string {
  if (typeof document === 'undefined') return placeholder;
  return document.documentElement.dataset['trialLength'] ?? placeholder;
}

export function trialExpiredText(): string {
  const trial = trialLength().replace(/ days?$/, '-day');
  return `Your ${trial} free trial has expired. Please upgrade to continue using the platform.`;
}
