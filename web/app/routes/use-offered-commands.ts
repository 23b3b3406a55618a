import { useCallback, useMemo, useState } from 'react';
import { useProfileCommands } from '../../features/profiles/use-profiles';
import { useProtocolCommands } from '../../features/todos/use-protocol-commands';
import type { SlashCommand } from '../../lib/slash-command';

interface OfferedCommandsOptions {
  /** Null before the chat exists. */
  sessionId: string | null;
  profileId: string | undefined;
  onPickProfile(profileId: string): Promise<boolean>;
}

/** The profiles and protocols of the slash menu. Protocols are files: they are only looked for when a slash is typed. */
export function useOfferedCommands({ sessionId, profileId, onPickProfile }: OfferedCommandsOptions): {
  commands: readonly SlashCommand[];
  onWanted(): void;
} {
  const [isWanted, setIsWanted] = useState(false);
  const onWanted = useCallback(() => setIsWanted(true), []);
  const profiles = useProfileCommands(profileId, onPickProfile);
  const protocols = useProtocolCommands(sessionId, isWanted);
  return useMemo(() => ({ commands: [...profiles, ...protocols], onWanted }), [profiles, protocols, onWanted]);
}
