import './styles/share.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createShareClient } from './share/share-client';
import { SharePage } from './share/share-page';
import { openShare } from './share/use-share';

const root = document.getElementById('root');
if (root === null) throw new Error('no element with the id "root"');
document.title = 'Shared chat';
const client = createShareClient(location.hash.replace(/^#share=/, ''));
const opening = await openShare(client);
createRoot(root).render(
  <StrictMode>
    <SharePage client={client} opening={opening} />
  </StrictMode>,
);
