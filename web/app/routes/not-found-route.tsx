import { Link } from 'wouter';
import { useDocumentTitle } from '../../lib/use-document-title';
import { PaneHeader } from '../pane-header';

interface NotFoundProps {
  title: string;
  children: string;
}

/** A calm page for what is not there. */
export function NotFound({ title, children }: NotFoundProps) {
  useDocumentTitle(title);
  return (
    <>
      <PaneHeader />
      <div className="flex flex-1 flex-col items-center justify-center gap-2 px-6 pb-24 text-center">
        <h1 className="font-semibold text-lg">{title}</h1>
        <p className="max-w-sm text-muted text-sm">{children}</p>
        <Link
          href="/"
          className="mt-3 inline-flex h-8 items-center rounded-control bg-accent px-3 font-medium text-on-accent text-meta hover:bg-accent-hover"
        >
          Start a new chat
        </Link>
      </div>
    </>
  );
}

export function NotFoundRoute() {
  return <NotFound title="There is nothing here">The address may be mistyped.</NotFound>;
}
