import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Message } from '../../../server/domains/messages/schema';
import { Composer, type ComposerHandle } from '../../features/chat/composer/composer';
import { ModelPicker } from '../../features/chat/composer/model-picker';
import { keepFirstMessage } from '../../features/chat/stream/first-message';
import { ProfilePicker } from '../../features/profiles/profile-picker';
import { DEFAULT_PROFILE_ID, useNewChatProfile } from '../../features/profiles/use-profiles';
import { NaviMark } from '../../features/sessions/sidebar';
import { readStored, writeStored } from '../../lib/storage';
import { useTRPCClient } from '../../lib/trpc';
import { useDocumentTitle } from '../../lib/use-document-title';
import { useModels } from '../../lib/use-models';
import { PaneHeader } from '../pane-header';
import { AttachmentTray } from './attachment-tray';
import { FirstStart, WaitingForModel } from './first-start';
import { useOfferedCommands } from './use-offered-commands';

const suggestions = [
  {
    title: 'Look around the workspace',
    text: 'List the files in the workspace and tell me in a few lines what is there.',
  },
  {
    title: 'Write something down',
    text: 'Write a short packing list for a weekend in the mountains and save it as packing.md.',
  },
  { title: 'Explain a page', text: 'Fetch https://example.com and explain in two sentences what it is for.' },
];

/** `/`: a chat that does not exist yet. It is created with its first message. */
export function NewChatRoute() {
  useDocumentTitle(null);
  const [, navigate] = useLocation();
  const { data: models } = useModels();
  const [picked, setPicked] = useState<string | null>(() => readStored('new-chat-model'));
  // Picked while its connection was set up: the next start may be without it.
  const isGone = models !== undefined && !models.connections.some(({ id }) => picked?.startsWith(`${id}/`));
  const model = isGone ? null : picked;
  const [isPickerOpen, setIsPickerOpen] = useState(false);
  const composer = useRef<ComposerHandle>(null);
  const pick = useCallback((next: string | null) => {
    setPicked(next);
    writeStored('new-chat-model', next);
  }, []);
  const [profileId, pickProfile] = useNewChatProfile();
  const { commands, load } = useOfferedCommands({ sessionId: null, profileId, onPickProfile: pickProfile });
  const client = useTRPCClient();
  const prepare = useCallback(
    async (sessionId: string) => {
      // In this order: a model of its own outranks the profile's.
      if (profileId !== DEFAULT_PROFILE_ID) await client.sessions.switchProfile.mutate({ sessionId, profileId });
      if (model !== null) await client.sessions.setModel.mutate({ sessionId, model });
    },
    [client, profileId, model],
  );
  const queryClient = useQueryClient();
  const onCreated = useCallback(
    (sessionId: string, message: Message | null) => {
      if (message !== null) keepFirstMessage(queryClient, sessionId, message);
      navigate(`/s/${sessionId}`);
    },
    [queryClient, navigate],
  );
  const tools = useMemo(
    () => (
      <>
        <ModelPicker value={model} onPick={pick} isOpen={isPickerOpen} onOpenChange={setIsPickerOpen} />
        <ProfilePicker value={profileId} onPick={pickProfile} />
      </>
    ),
    [model, pick, isPickerOpen, profileId, pickProfile],
  );
  return (
    <>
      <PaneHeader hasNewChat={false} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="m-auto w-full max-w-[680px] px-4 pt-2 pb-[12dvh] sm:px-6">
          <h1 className="mb-6 flex flex-col items-center justify-center gap-3 sm:flex-row text-balance text-center font-semibold text-2xl tracking-tight">
            <NaviMark size={26} />
            What shall we work on?
          </h1>
          <Composer
            ref={composer}
            sessionId={null}
            isRunning={false}
            isStopping={false}
            prepare={prepare}
            commands={commands}
            loadCommands={load}
            onStop={() => {}}
            onCreated={onCreated}
            attachmentTray={AttachmentTray}
            tools={tools}
          />
          <ul className="mt-4 grid gap-2 sm:grid-cols-3" aria-label="Suggestions">
            {suggestions.map((suggestion) => (
              <li key={suggestion.title}>
                <button
                  type="button"
                  onClick={() => composer.current?.fill(suggestion.text)}
                  className="h-full w-full rounded-card border border-line px-3.5 py-2.5 text-left transition-colors duration-150 hover:border-line-strong hover:bg-raised"
                >
                  <span className="block font-medium text-meta">{suggestion.title}</span>
                  <span className="mt-0.5 line-clamp-3 text-small text-muted">{suggestion.text}</span>
                </button>
              </li>
            ))}
          </ul>
          {models?.waitsFor != null && model === null && <WaitingForModel reason={models.waitsFor} />}
          {models?.isDemo && <FirstStart connections={models.connections} />}
        </div>
      </div>
    </>
  );
}
