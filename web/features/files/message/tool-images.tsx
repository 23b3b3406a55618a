import { useMemo } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { filesOf } from '../read-files';
import { sessionFile } from '../viewed-file';
import { ImageList } from './image-list';
import { withheldWords } from './withheld-words';

/** What the agent looked at, and what of it the model was not shown. */
export default function ToolImages({ sessionId, result }: { sessionId: string; result: PagedMessage }) {
  const images = useMemo(() => filesOf(result).images.map((file) => sessionFile(sessionId, file)), [sessionId, result]);
  return (
    <>
      <ImageList images={images} className="mt-2" />
      {withheldWords(result).map((words) => (
        <p key={words} className="mt-1.5 text-faint text-small [overflow-wrap:anywhere]">
          {words}
        </p>
      ))}
    </>
  );
}
