import { useCallback, useEffect, useState } from 'react';
import type { TrayState } from '../../../lib/attachment-tray';

/** The message is wanted, but files are still on their way; or it was not sent because one of them failed. */
export type UploadWish = 'waiting' | 'failed' | null;

/** Sends at once, or as soon as the last upload is done. A failed one is never left behind silently. */
export function useSendWhenUploaded({ isUploading, hasFailed }: TrayState, send: () => Promise<void>) {
  const [wish, setWish] = useState<UploadWish>(null);
  const sendWhenUploaded = useCallback(async () => {
    if (isUploading) setWish('waiting');
    else if (hasFailed) setWish('failed');
    else await send();
  }, [isUploading, hasFailed, send]);
  useEffect(() => {
    if (wish === 'failed' && !hasFailed) setWish(null);
    if (wish !== 'waiting' || isUploading) return;
    setWish(hasFailed ? 'failed' : null);
    if (!hasFailed) void send();
  }, [wish, isUploading, hasFailed, send]);
  return { wish, send: sendWhenUploaded, cancel: useCallback(() => setWish(null), []) };
}
