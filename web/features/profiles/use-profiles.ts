import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Profile } from '../../../server/domains/profiles/schema';
import { wordsForError } from '../../lib/error-words';
import type { CommandList, SlashCommand } from '../../lib/slash-command';
import { readStored, writeStored } from '../../lib/storage';
import { showFailure } from '../../lib/toast';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** What a session runs under unless somebody chose otherwise. */
export const DEFAULT_PROFILE_ID = 'default';

export function useProfiles(): readonly Profile[] | undefined {
  return useQuery(useTRPC().profiles.list.queryOptions()).data?.items;
}

/** Switches the profile of one chat, in mid-session too; the answer carries the new window. Answers whether it did. */
export function useSwitchProfile(sessionId: string): (profileId: string) => Promise<boolean> {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    async (profileId) => {
      try {
        const session = await client.sessions.switchProfile.mutate({ sessionId, profileId });
        queryClient.setQueryData(trpc.sessions.get.queryKey({ sessionId }), session);
        return true;
      } catch (error) {
        showFailure(wordsForError(error));
        return false;
      }
    },
    [client, trpc, queryClient, sessionId],
  );
}

/** The profile of the next new chat; remembered. */
export function useNewChatProfile(): [profileId: string, pick: (profileId: string) => Promise<boolean>] {
  const [profileId, setProfileId] = useState(() => readStored('new-chat-profile') ?? DEFAULT_PROFILE_ID);
  const pick = useCallback(async (next: string) => {
    setProfileId(next);
    writeStored('new-chat-profile', next === DEFAULT_PROFILE_ID ? null : next);
    return true;
  }, []);
  const profiles = useProfiles();
  const isGone = profiles !== undefined && !profiles.some(({ id }) => id === profileId);
  return [isGone ? DEFAULT_PROFILE_ID : profileId, pick];
}

/** A command for each profile: it is switched to, and what follows it is sent under it. */
export function useProfileCommands(
  current: string | undefined,
  pick: (profileId: string) => Promise<boolean>,
): CommandList {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const profiles = useProfiles();
  return useMemo(() => {
    const toCommands = (items: readonly Profile[]) =>
      items.map(
        ({ id, name, description }): SlashCommand => ({
          name: name.trim().replace(/[^\p{L}\p{N}_-]+/gu, '-'),
          argument: null,
          mayLead: true,
          group: 'Profiles',
          description: id === current ? `In use. ${description}` : description,
          run: async (message) => (await pick(id)) && (message === '' || message),
        }),
      );
    return {
      commands: toCommands(profiles ?? []),
      load: async () => toCommands((await queryClient.ensureQueryData(trpc.profiles.list.queryOptions())).items),
    };
  }, [profiles, current, pick, trpc, queryClient]);
}
