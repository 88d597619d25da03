import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createServices } from './app/create-services.ts';
import { StartFailed } from './app/start-failed.tsx';
import './app/theme.css';
import { loadPublicConfig } from './config/load-public-config.ts';
import { followSystemTheme } from './lib/theme.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');
const root = createRoot(element);

followSystemTheme();
try {
  const services = createServices(await loadPublicConfig());
  root.render(
    <StrictMode>
      <App services={services} />
    </StrictMode>,
  );
} catch (error) {
  console.error(error);
  root.render(<StartFailed />);
}
