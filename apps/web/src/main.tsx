import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createRouter, routerReady } from './app/router.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/tool.css';
import { authAnswerPath } from './lib/auth-answer-path.ts';
import { followSystemTheme } from './lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');

const moved = authAnswerPath(location);
if (moved !== null) history.replaceState(null, '', moved);

followSystemTheme();
const router = createRouter();
const app = (
  <StrictMode>
    <App source={createServicesSource()} router={router} />
  </StrictMode>
);
if (element.firstElementChild === null) {
  createRoot(element).render(app);
} else {
  // The page was rendered when the site was built: it is taken over as it is, in slices, so that it can be used.
  void routerReady(router).then(() => {
    startTransition(() => void hydrateRoot(element, app));
  });
}
