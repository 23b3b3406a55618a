import { useMemo } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { artifactOf } from '../read-files';
import { sessionFile } from '../viewed-file';
import ArtifactCard from './artifact-card';

/** The card of a tool message that published or shared a file. */
export default function MessageArtifact({ sessionId, message }: { sessionId: string; message: PagedMessage }) {
  const artifact = useMemo(() => artifactOf(message), [message]);
  const file = useMemo(() => (artifact === null ? null : sessionFile(sessionId, artifact)), [sessionId, artifact]);
  if (artifact === null || file === null) return null;
  return <ArtifactCard file={file} mode={artifact.mode} title={artifact.title} />;
}
