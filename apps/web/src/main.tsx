import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createRouter, loadPage } from './app/router.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/theme.css';
import { authAnswerPath } from './lib/auth-answer-path.ts';
import { followSystemTheme } from './lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');

const moved = authAnswerPath(location);
if (moved !== null) history.replaceState(null, '', moved);
const rendered = moved === null && element.hasChildNodes();

followSystemTheme();
const source = createServicesSource();
if (rendered) await loadPage(location.pathname);
else element.replaceChildren();
const app = (
  <StrictMode>
    <App source={source} router={createRouter()} />
  </StrictMode>
);
if (rendered) hydrateRoot(element, app);
else createRoot(element).render(app);
