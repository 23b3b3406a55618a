/**
 * The frames that show pages which are not ours. Neither has `allow-same-origin`: their origin is opaque, so there are no
 * cookies, no storage and no parent for them. Which document the second may be is said by `frame-src` of our own policy, and
 * what that may do by its own (server/door/artifact-frame.ts). Nothing here listens to what they post.
 */
import { useRef } from 'react';

const FRAME = '/artifact-frame.html';

/** Beside the sandbox and our own policy, which a `srcdoc` inherits: no request at all, not even to ourselves. */
const STILL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; form-action 'none'; base-uri 'none'";

const look = 'block h-full w-full border-0 bg-[white] [color-scheme:light]';

interface FrameProps {
  title: string;
  text: string;
}

export function StillFrame({ title, text }: FrameProps) {
  return (
    <iframe
      title={title}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${STILL_POLICY}">${text}`}
      className={look}
    />
  );
}

export function RunningFrame({ title, text }: FrameProps) {
  const isSent = useRef(false);
  return (
    <iframe
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src={FRAME}
      onLoad={(event) => {
        // Once: writing the text loads the document again, and going elsewhere must not get it a second time.
        if (isSent.current) return;
        isSent.current = true;
        // An opaque origin has no name to send to; the window is the frame's own.
        event.currentTarget.contentWindow?.postMessage(text, '*');
      }}
      className={look}
    />
  );
}
