import type { Theme } from 'vitepress';
import base from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import '../../../web/src/app/brand.css';
import './style.css';

const key = 'cellfolio:theme';

/** The app is on the same server, above the base of this site, which its router leaves alone. */
const openApp = (className: string) =>
  h('a', { href: '/', target: '_self', class: className }, 'Open Cellfolio');

export default {
  extends: base,
  Layout: () =>
    h(base.Layout, null, {
      'nav-bar-content-after': () => openApp('open-app'),
      'nav-screen-content-after': () => openApp('open-app-small'),
    }),
  enhanceApp() {
    if (import.meta.env.SSR) return;
    // The app calls the theme of the system by another name.
    try {
      if (localStorage.getItem(key) === 'system') localStorage.setItem(key, 'auto');
    } catch {
      // Storage may be blocked; then the theme is that of the system.
    }
  },
} satisfies Theme;
