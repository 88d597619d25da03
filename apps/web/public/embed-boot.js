// boot.js for views that other sites frame: it reads nothing that is stored for the signed-in user.
(() => {
  globalThis.__zod_globalConfig = { jitless: true };
  const theme = new URLSearchParams(location.search).get('theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
