import { useMemo } from 'react';
import { useProfileCommands } from '../../features/profiles/use-profiles';
import { useProtocolCommands } from '../../features/todos/use-protocol-commands';
import type { CommandList } from '../../lib/slash-command';

interface OfferedCommandsOptions {
  /** Null before the chat exists. */
  sessionId: string | null;
  profileId: string | undefined;
  onPickProfile(profileId: string): Promise<boolean>;
}

/** The profiles and protocols of the slash menu. */
export function useOfferedCommands({ sessionId, profileId, onPickProfile }: OfferedCommandsOptions): CommandList {
  const profiles = useProfileCommands(profileId, onPickProfile);
  const protocols = useProtocolCommands(sessionId);
  return useMemo(
    () => ({
      commands: [...profiles.commands, ...protocols.commands],
      load: async () => (await Promise.all([profiles.load(), protocols.load()])).flat(),
    }),
    [profiles, protocols],
  );
}
