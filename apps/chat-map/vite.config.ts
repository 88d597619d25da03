import { defineConfig, type Plugin } from 'vite';

/** One file with its script and style inside: the sandbox of an app loads nothing. */
const oneFile: Plugin = {
  name: 'one-file',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const parts = Object.values(bundle);
    const script = parts.find((part) => part.type === 'chunk' && part.isEntry);
    const style = parts.find(({ fileName }) => fileName.endsWith('.css'));
    const page = parts.find(({ fileName }) => fileName === 'map.html');
    if (script?.type !== 'chunk' || style?.type !== 'asset' || page?.type !== 'asset')
      throw new Error('The map is no longer one page, one script and one style.');
    // A script ends at the first closing tag, whatever it stands in.
    const code = script.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
    page.source = String(page.source)
      .replace(/<script [^>]*src=[^>]*><\/script>/, '')
      .replace(/<link [^>]*stylesheet[^>]*>/, () => `<style>${String(style.source)}</style>`)
      .replace('</body>', () => `<script type="module">${code}</script></body>`);
    for (const name of Object.keys(bundle)) if (name !== 'map.html') delete bundle[name];
  },
};

export default defineConfig({
  plugins: [oneFile],
  build: {
    target: 'es2023',
    // Browsers with light-dark(), for which a stylesheet of older ones would not see the theme of the host.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    rolldownOptions: { input: 'map.html', output: { codeSplitting: false } },
  },
});
