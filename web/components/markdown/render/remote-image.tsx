import { useState } from 'react';
import { readImageSource } from './addresses';

/**
 * An image in a message. Images on other servers load only after a click: the request alone would tell the server what the
 * message wanted to tell it.
 */
export function MessageImage({ href, alt, title }: { href: string; alt: string; title: string | null }) {
  const [isAllowed, setIsAllowed] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const source = readImageSource(href);
  if (source.kind === 'none') return <span className="md-image-text">{alt || 'Image'}</span>;
  if (source.kind === 'remote' && (!isAllowed || hasFailed)) {
    const state = hasFailed ? 'could not be loaded. Try again' : `not loaded. Load from ${source.host}`;
    return (
      <button
        type="button"
        className="md-image-placeholder"
        title={source.source}
        onClick={() => {
          setHasFailed(false);
          setIsAllowed(true);
        }}
      >
        <span className="md-image-alt">{alt || 'Image'}</span>
        <span className="md-image-state">{state}</span>
      </button>
    );
  }
  return (
    <img
      className="md-image"
      src={source.source}
      alt={alt}
      title={title ?? undefined}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setHasFailed(true)}
    />
  );
}
