import './styles/share.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createShareClient } from './share/share-client';
import { SharePage } from './share/share-page';

const root = document.getElementById('root');
if (root === null) throw new Error('no element with the id "root"');
const token = location.hash.replace(/^#share=/, '');
createRoot(root).render(
  <StrictMode>
    <SharePage client={createShareClient(token)} />
  </StrictMode>,
);
// Another link in the same tab: nothing of the first one stays.
window.addEventListener('hashchange', () => location.reload());
