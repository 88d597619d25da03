/** Placeholder for the length of the trial in prerendered pages; the server fills it in. */
const placeholder = 'trial-length.invalid';

/**
 * Length of the free trial, such as `7 days`, from the page (`data-trial-length`), so that hydration matches the
 * prerendered page.
 */
export function trialLength(): string {
  if (typeof document === 'undefined') return placeholder;
  return document.documentElement.dataset['trialLength'] ?? placeholder;
}

export function trialExpiredText(): string {
  const trial = trialLength().replace(/ days?$/, '-day');
  return `Your ${trial} free trial has expired. Please upgrade to continue using the platform.`;
}
