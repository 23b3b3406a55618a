import { useEffect, useState } from 'react';
import { useShareClient } from '../share-context';

export type SharedFileState = { kind: 'waiting' } | { kind: 'here'; url: string } | { kind: 'failed' };

/** The bytes of a file as an address of this page, once `isWanted`; taken back when nobody shows them any more. */
export function useSharedFile(fileId: string | null, isWanted: boolean): SharedFileState {
  const client = useShareClient();
  const [state, setState] = useState<SharedFileState>({ kind: 'waiting' });
  useEffect(() => {
    if (fileId === null || !isWanted) return;
    let isOver = false;
    let url: string | null = null;
    client.file(fileId).then(
      (blob) => {
        if (isOver) return;
        url = URL.createObjectURL(blob);
        setState({ kind: 'here', url });
      },
      () => !isOver && setState({ kind: 'failed' }),
    );
    return () => {
      isOver = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [client, fileId, isWanted]);
  return state;
}
