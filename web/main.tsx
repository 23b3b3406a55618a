// First: it declares the order of the layers that every later stylesheet joins.
import './styles/index.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { createConnection, createQueryClient } from './lib/trpc';

const root = document.getElementById('root');
if (root === null) throw new Error('no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App connection={createConnection(location.origin)} queryClient={createQueryClient()} />
  </StrictMode>,
);
