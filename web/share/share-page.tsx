import { type ReactNode, useLayoutEffect } from 'react';
import { Button } from '../components/button';
import { RemoteImagesContext } from '../components/markdown/render/remote-image';
import { Spinner } from '../components/spinner';
import { StageProvider } from '../features/files/stage/stage-provider';
import { PrintContext, usePrinting } from '../lib/print';
import type { ShareClient } from './share-client';
import { ShareClientContext } from './share-context';
import { ShareHeader } from './share-header';
import { ShareTranscript } from './share-transcript';
import { type Opening, type OpenShare, useShare } from './use-share';

/** `/#share=<token>`: a chat as it is displayed, for whoever was sent the link. Reads, and nothing else. */
export function SharePage({ client, opening }: { client: ShareClient; opening: Opening }) {
  const share = useShare(client, opening);
  const isPrinting = usePrinting();
  const name = share.state.kind === 'shown' ? share.state.view.name : null;
  useLayoutEffect(() => {
    if (name !== null) document.title = name;
  }, [name]);
  return (
    <ShareClientContext value={client}>
      <RemoteImagesContext value={false}>
        <PrintContext value={isPrinting}>
          <StageProvider>
            <ShareBody share={share} />
          </StageProvider>
        </PrintContext>
      </RemoteImagesContext>
    </ShareClientContext>
  );
}

function ShareBody({ share }: { share: OpenShare }) {
  const { state } = share;
  switch (state.kind) {
    case 'loading':
      return (
        <Alone>
          <p role="status" className="late flex items-center gap-2 text-faint text-meta">
            <Spinner />
            Opening the chat
          </p>
        </Alone>
      );
    case 'gone':
      return (
        <Alone>
          <h1 className="font-semibold text-lg">This link leads nowhere</h1>
          <p className="mt-2 text-muted text-read">
            The chat that it showed was deleted, or the address is not complete. Ask the person who sent it to you.
          </p>
        </Alone>
      );
    case 'failed':
      return (
        <Alone>
          <h1 className="font-semibold text-lg">The chat could not be opened</h1>
          <p className="mt-2 mb-4 text-muted text-read">The server did not answer. The link may still be right.</p>
          <Button onClick={share.retry}>Try again</Button>
        </Alone>
      );
    case 'shown':
      return (
        <>
          <ShareHeader view={state.view} />
          <ShareTranscript share={share} />
          <ShareFooter />
        </>
      );
  }
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center px-6 pb-[12vh]">
      {children}
    </main>
  );
}

function ShareFooter() {
  return (
    <footer className="mx-auto max-w-[808px] px-5 pt-6 pb-12 sm:px-6">
      <p className="border-line border-t pt-4 text-faint text-small">
        A chat with an AI agent in Navi, shared by its owner to be read. What the agent writes can be wrong.
      </p>
    </footer>
  );
}
