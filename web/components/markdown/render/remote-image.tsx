import { useEffect, useState } from 'react';
import { readImageSource } from './addresses';

/**
 * An image in a message. Images on other servers load only after a click: the request alone would tell the server what the
 * message wanted to tell it. The click asks our own server for the bytes, as the content policy keeps every other address
 * out of the page.
 */
export function MessageImage({ href, alt, title }: { href: string; alt: string; title: string | null }) {
  const source = readImageSource(href);
  if (source.kind === 'none') return <span className="md-image-text">{alt || 'Image'}</span>;
  if (source.kind === 'remote') {
    return <RemoteImage address={source.source} host={source.host} alt={alt} title={title} />;
  }
  return <img className="md-image" src={source.source} alt={alt} title={title ?? undefined} decoding="async" />;
}

type Loading = { state: 'waiting' | 'loading' | 'failed' } | { state: 'loaded'; objectUrl: string };

interface RemoteImageProps {
  address: string;
  host: string;
  alt: string;
  title: string | null;
}

function RemoteImage({ address, host, alt, title }: RemoteImageProps) {
  const [loading, setLoading] = useState<Loading>({ state: 'waiting' });
  const objectUrl = loading.state === 'loaded' ? loading.objectUrl : null;
  useEffect(() => (objectUrl === null ? undefined : () => URL.revokeObjectURL(objectUrl)), [objectUrl]);

  if (objectUrl !== null) return <img className="md-image" src={objectUrl} alt={alt} title={title ?? undefined} />;
  const words = {
    waiting: `not loaded. Load from ${host}`,
    loading: 'loading …',
    failed: 'could not be loaded. Try again',
    loaded: '',
  };
  const load = async () => {
    setLoading({ state: 'loading' });
    setLoading(await fetchImage(address));
  };
  return (
    <button
      type="button"
      className="md-image-placeholder"
      title={address}
      disabled={loading.state === 'loading'}
      onClick={() => void load()}
    >
      <span className="md-image-alt">{alt || 'Image'}</span>
      <span className="md-image-state">{words[loading.state]}</span>
    </button>
  );
}

/** A POST on purpose: no markup can make one. */
async function fetchImage(address: string): Promise<Loading> {
  try {
    const url = address.startsWith('//') ? `https:${address}` : address;
    const answer = await fetch('/api/remote-images', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    if (!answer.ok) return { state: 'failed' };
    return { state: 'loaded', objectUrl: URL.createObjectURL(await answer.blob()) };
  } catch {
    return { state: 'failed' };
  }
}
