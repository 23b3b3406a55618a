import { createContext, useContext, useEffect, useState } from 'react';
import { readImageSource } from './addresses';

/** Whether our server may be asked for the image of another one. Not on the page of a share: its reader has no account here. */
export const RemoteImagesContext = createContext(true);

/**
 * An image in a message. Images on other servers load only after a click: the request alone would tell the server what the
 * message wanted to tell it. The click asks our own server for the bytes, as the content policy keeps every other address
 * out of the page.
 */
export function MessageImage({ href, alt, title }: { href: string; alt: string; title: string | null }) {
  const canLoad = useContext(RemoteImagesContext);
  const source = readImageSource(href);
  if (source.kind === 'none') return <span className="md-image-text">{alt || 'Image'}</span>;
  if (source.kind === 'remote') {
    if (!canLoad) return <ImageLink address={source.source} host={source.host} alt={alt} />;
    return <RemoteImage address={source.source} host={source.host} alt={alt} title={title} />;
  }
  return <img className="md-image" src={source.source} alt={alt} title={title ?? undefined} decoding="async" />;
}

/** Leads to the image, for who wants to go there. */
function ImageLink({ address, host, alt }: { address: string; host: string; alt: string }) {
  return (
    <a className="md-image-placeholder" href={address} target="_blank" rel="noopener noreferrer nofollow">
      <span className="md-image-alt">{alt || 'Image'}</span>
      <span className="md-image-state">on {host}</span>
    </a>
  );
}

interface RemoteImageProps {
  address: string;
  host: string;
  alt: string;
  title: string | null;
}

function RemoteImage({ address, host, alt, title }: RemoteImageProps) {
  const [note, setNote] = useState(`not loaded. Load from ${host}`);
  const [objectUrl, setObjectUrl] = useState('');
  useEffect(() => () => URL.revokeObjectURL(objectUrl), [objectUrl]);

  if (objectUrl !== '') return <img className="md-image" src={objectUrl} alt={alt} title={title ?? undefined} />;
  const load = async () => {
    setNote('loading …');
    // Loads with the first click, as most messages hold no image.
    const { fetchImage } = await import('./fetch-image');
    const loaded = await fetchImage(address);
    if (loaded === null) setNote('could not be loaded. Try again');
    else setObjectUrl(loaded);
  };
  return (
    <button type="button" className="md-image-placeholder" title={address} onClick={() => void load()}>
      <span className="md-image-alt">{alt || 'Image'}</span>
      <span className="md-image-state">{note}</span>
    </button>
  );
}
