import { Check, Copy, ExternalLink } from 'lucide-react';
import { Button } from '../../components/button';
import { useCopy } from '../../lib/use-copy';
import { linkOf } from './link-of';
import { QrCode } from './qr-code';

/** The link in the three forms in which it travels: to copy, to open, to point a phone at. */
export function ShareLink({ token }: { token: string }) {
  const url = linkOf(token);
  const [isCopied, copy] = useCopy();
  return (
    <div className="flex flex-col gap-4 sm:flex-row">
      <div className="min-w-0 flex-1 space-y-3">
        <input
          readOnly
          aria-label="Link"
          value={url}
          onFocus={(event) => event.currentTarget.select()}
          className="h-9 w-full truncate rounded-control border border-line bg-sunken px-2.5 font-mono text-[0.78rem]"
        />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => void copy(url)}>
            {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line bg-raised px-3 font-medium text-meta hover:bg-hover"
          >
            <ExternalLink size={14} aria-hidden />
            Open
          </a>
        </div>
        <p className="text-meta text-muted">
          Whoever has this link reads the chat as it is now, and as it goes on.{' '}
          <strong className="font-medium text-text">Delete the chat to end the share.</strong>
        </p>
      </div>
      <QrCode text={url} />
    </div>
  );
}
