/** Shows a file with the viewer of its kind. Every viewer is a chunk of its own and fills the room that it is given. */
import { type ComponentType, lazy, Suspense } from 'react';
import type { FileKind } from '../../../../server/domains/files/schema';
import { ErrorBoundary } from '../../../components/error-boundary';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { kinds } from '../kinds';
import type { ViewedFile } from '../viewed-file';
import { Loading, Words } from './words';

export interface ViewerProps {
  file: ViewedFile;
  /** Alone on the screen: it may take the wheel and the keyboard. In a card the page scrolls on. */
  isStage: boolean;
}

const Page = lazy(() => import('./page/page-viewer'));
const Model = lazy(() => import('./model/model-viewer'));
const Text = lazy(() => import('./text/text-viewer'));
const Media = lazy(() => import('./media-viewer'));

const viewers: Record<FileKind, ComponentType<ViewerProps> | null> = {
  image: lazy(() => import('./image-viewer')),
  svg: Page,
  html: Page,
  pdf: lazy(() => import('./pdf/pdf-viewer')),
  video: Media,
  audio: Media,
  stl: Model,
  gltf: Model,
  csv: lazy(() => import('./csv/csv-viewer')),
  markdown: lazy(() => import('./text/markdown-viewer')),
  text: Text,
  source: Text,
  other: null,
};

export const canView = (file: ViewedFile): boolean =>
  viewers[file.kind] !== null && file.sizeBytes <= kinds[file.kind].maxBytes;

export function Viewer({ file, isStage }: ViewerProps) {
  const Kind = viewers[file.kind];
  const { maxBytes } = kinds[file.kind];
  if (Kind === null) return <Words file={file}>There is no viewer for this kind of file.</Words>;
  if (file.sizeBytes > maxBytes) {
    return (
      <Words file={file}>
        {formatBytes(file.sizeBytes)} are too much to open here; up to {formatBytes(maxBytes)} can be shown.
      </Words>
    );
  }
  return (
    <ErrorBoundary what={`“${visibleName(file.name)}”`} resetKey={file.id}>
      <Suspense fallback={<Loading />}>
        <Kind key={file.id} file={file} isStage={isStage} />
      </Suspense>
    </ErrorBoundary>
  );
}
