import { useMemo } from 'react';
import type { ComposerParts } from '../../features/chat/chat-context';
import { useCompressionActions } from '../../features/compression/use-compression-actions';
import { ProfilePicker } from '../../features/profiles/profile-picker';
import { useSwitchProfile } from '../../features/profiles/use-profiles';
import { useSharing } from '../../lib/sharing';
import type { SlashCommand } from '../../lib/slash-command';
import { useOfferedCommands } from './use-offered-commands';

interface ComposerPartsOptions {
  sessionId: string;
  name: string;
  /** Undefined until the session is read. */
  profileId: string | undefined;
}

/** What features put into the composer of an open chat. Apart from the slots of the rows, which do not change with it. */
export function useComposerParts({ sessionId, name, profileId }: ComposerPartsOptions): ComposerParts {
  const { share } = useSharing();
  const { compact } = useCompressionActions(sessionId);
  const onPickProfile = useSwitchProfile(sessionId);
  const offered = useOfferedCommands({ sessionId, profileId, onPickProfile });
  const own = useMemo(
    (): SlashCommand[] => [
      {
        name: 'compact',
        argument: 'what to keep in particular',
        description: 'Compress the context now',
        run: (focus) => compact(focus),
      },
      {
        name: 'share',
        argument: null,
        description: 'Make a link that others can read this chat with',
        run: async () => {
          share(sessionId, name);
          return true;
        },
      },
    ],
    [sessionId, name, compact, share],
  );
  return useMemo(
    () => ({
      commands: [...own, ...offered.commands],
      loadCommands: async () => [...own, ...(await offered.load())],
      tools: profileId !== undefined && <ProfilePicker value={profileId} onPick={onPickProfile} />,
    }),
    [own, offered, profileId, onPickProfile],
  );
}
