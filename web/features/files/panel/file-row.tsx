import { Download, Ellipsis, Eye, Sparkles, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FileEntry } from '../../../../server/domains/files/schema';
import { Button, IconButton } from '../../../components/button';
import { FileName } from '../../../components/file-name';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../../components/menu';
import { Moment } from '../../../components/moment';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { save } from '../download';
import { kinds } from '../kinds';
import type { ViewedFile } from '../viewed-file';
import { useFileActions } from './use-file-actions';

interface FileRowProps {
  entry: FileEntry;
  file: ViewedFile;
  sessionId: string;
  onOpen(): void;
}

/** One file: a click opens it, the menu has the rest. Removing asks once more, in place. */
export function FileRow({ entry, file, sessionId, onOpen }: FileRowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { publish, remove } = useFileActions(sessionId);
  const { name: kindName } = kinds[entry.kind];
  const name = visibleName(entry.name);
  if (isAsking) {
    return (
      <li
        ref={(row) => {
          row?.scrollIntoView({ block: 'nearest' });
        }}
        className="bg-failed-soft px-3.5 py-2.5 text-meta"
      >
        <p dir="auto" className="[overflow-wrap:anywhere]">
          Remove “{name}” for good?
        </p>
        <p className="text-muted text-small">Messages keep its name, but it can no longer be opened.</p>
        <div className="mt-2 flex gap-2">
          <Button look="danger" autoFocus onClick={() => void remove(entry.id)}>
            Remove
          </Button>
          <Button onClick={() => setIsAsking(false)}>Keep</Button>
        </div>
      </li>
    );
  }
  return (
    <li className="group/file flex items-center gap-1 pr-2 pl-1.5 hover:bg-hover">
      <button
        type="button"
        aria-label={`Open ${name}`}
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-2 text-left outline-offset-[-2px]"
      >
        <Picture file={file} />
        <span className="min-w-0 flex-1">
          <FileName name={entry.name} className="text-meta" />
          <span className="tabular block truncate text-faint text-small">
            {kindName} · {formatBytes(entry.sizeBytes)} · <Moment at={entry.createdAt} />
            {entry.isPublished && (
              <Sparkles
                size={12}
                strokeWidth={1.75}
                role="img"
                aria-label="Artifact"
                className="ml-1.5 inline-block align-[-1px] text-accent"
              />
            )}
          </span>
        </span>
      </button>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`Actions for ${name}`} look="faint">
            <Ellipsis size={16} />
          </IconButton>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem icon={<Eye size={15} />} onSelect={onOpen}>
            Open
          </MenuItem>
          <MenuItem icon={<Download size={15} />} onSelect={() => void save(file)}>
            Download
          </MenuItem>
          {!entry.isPublished && (
            <MenuItem icon={<Sparkles size={15} />} onSelect={() => void publish(entry.id)}>
              Publish as artifact
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={15} />} isDanger onSelect={() => setIsAsking(true)}>
            Remove
          </MenuItem>
        </MenuContent>
      </Menu>
    </li>
  );
}

function Picture({ file }: { file: ViewedFile }) {
  const [hasFailed, setHasFailed] = useState(false);
  const Icon = kinds[file.kind].icon;
  if (file.thumbnailUrl !== null && !hasFailed) {
    return (
      <img
        src={file.thumbnailUrl}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setHasFailed(true)}
        className="size-9 shrink-0 rounded-control border border-line bg-sunken object-cover"
      />
    );
  }
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken">
      <Icon size={17} strokeWidth={1.5} aria-hidden className="text-faint" />
    </span>
  );
}
