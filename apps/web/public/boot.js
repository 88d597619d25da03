// Runs before the first paint and before any module. A file of its own, because the content security policy
// allows no inline script.
(() => {
  // The schema library otherwise probes `new Function`, which a strict policy reports as a violation.
  globalThis.__zod_globalConfig = { jitless: true };

  // Same rule as src/lib/theme.ts: a stored choice wins, else the system's; without it dark pages flash white.
  let stored = null;
  try {
    stored = localStorage.getItem('cellfolio:theme');
  } catch {
    // Storage may be blocked; the system's choice stands.
  }
  const dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);

  // Same rule as useSmallWindow of the explorer, beside the width of the page.
  document.documentElement.toggleAttribute('data-small-window', outerWidth < 768);

  // Enter in a form that cannot be sent yet: credentials-form.tsx sends it when it can, unless more was typed.
  addEventListener(
    'keydown',
    ({ key, target }) => {
      const form = target instanceof HTMLInputElement ? target.form : null;
      if (form?.querySelector('[type=submit]:disabled')) form.toggleAttribute('data-sent', key === 'Enter');
    },
    true,
  );
})();
