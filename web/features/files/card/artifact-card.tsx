import { Maximize2 } from 'lucide-react';
import { useRef } from 'react';
import type { Artifact, FileKind } from '../../../../server/domains/files/schema';
import { IconButton } from '../../../components/button';
import { FileName } from '../../../components/file-name';
import { cx } from '../../../lib/class-names';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { useInView } from '../../../lib/use-in-view';
import { DownloadLink } from '../download';
import { kinds } from '../kinds';
import { useStage } from '../stage/stage-provider';
import type { ViewedFile } from '../viewed-file';
import { canView, Viewer } from '../viewers/viewer';

interface ArtifactCardProps {
  file: ViewedFile;
  mode: Artifact['mode'];
  title: string | null;
}

/** Room for the view, fixed before anything is loaded: the chat does not move. */
const heights: Record<FileKind, string> = {
  image: 'h-80',
  svg: 'h-80',
  html: 'h-96',
  pdf: 'h-[28rem]',
  video: 'aspect-video max-h-96 w-full',
  audio: 'h-18',
  stl: 'h-80',
  gltf: 'h-80',
  csv: 'h-72',
  markdown: 'h-72',
  text: 'h-64',
  source: 'h-64',
  other: 'h-40',
};

/** A file that the agent published, in the viewer of its kind; or one that it shared, to open and download. */
export default function ArtifactCard({ file, mode, title }: ArtifactCardProps) {
  const open = useStage();
  const isViewed = mode === 'published' && file.kind !== 'other';
  const isOpenable = canView(file);
  const { icon: Icon, name: kindName } = kinds[file.kind];
  return (
    <article
      aria-label={`File ${visibleName(file.name)}`}
      className="overflow-hidden rounded-card border border-line bg-raised shadow-[0_1px_2px_var(--shade-near)]"
    >
      <header className="flex items-center gap-3 py-2 pr-1.5 pl-3">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent-text">
          <Icon size={17} strokeWidth={1.6} aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          {title === null ? (
            <FileName name={file.name} className="font-medium text-sm" />
          ) : (
            <p dir="auto" title={title} className="truncate font-medium text-sm">
              {title}
            </p>
          )}
          <p className="tabular flex min-w-0 text-faint text-small">
            {title !== null && <FileName name={file.name} />}
            <span className="shrink-0 whitespace-pre">
              {title !== null && ' · '}
              {kindName} · {formatBytes(file.sizeBytes)}
            </span>
          </p>
        </div>
        {isOpenable && (
          <IconButton label={`Open ${visibleName(file.name)}`} onClick={() => open([file])} className="no-print">
            <Maximize2 size={15} strokeWidth={1.75} />
          </IconButton>
        )}
        <DownloadLink file={file} className="no-print" />
      </header>
      {isViewed && <View file={file} />}
    </article>
  );
}

function View({ file }: { file: ViewedFile }) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useInView(frame);
  return (
    <div
      ref={frame}
      className={cx('print-window border-line border-t bg-bg', canView(file) ? heights[file.kind] : 'h-40')}
    >
      {isSeen && <Viewer file={file} isStage={false} />}
    </div>
  );
}
