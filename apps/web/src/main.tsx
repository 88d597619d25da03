import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createRouter } from './app/router.tsx';
import { createServicesSource } from './app/services-source.ts';
import './app/tool.css';
import { authAnswerPath } from './lib/auth-answer-path.ts';
import { followSystemTheme } from './lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');

const moved = authAnswerPath(location);
if (moved !== null) history.replaceState(null, '', moved);

followSystemTheme();
createRoot(element).render(
  <StrictMode>
    <App source={createServicesSource()} router={createRouter()} />
  </StrictMode>,
);
