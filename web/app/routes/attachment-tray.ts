import { lazy } from 'react';

/** The files of a draft: a chunk of its own, loaded with the first file. */
export const AttachmentTray = lazy(() => import('../../features/files/attachments/attachment-tray'));
