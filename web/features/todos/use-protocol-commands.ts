import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { wordsForError } from '../../lib/error-words';
import type { SlashCommand } from '../../lib/slash-command';
import { showFailure } from '../../lib/toast';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** Files of a person's own come and go: their list is read again after this time, in milliseconds. */
const STALE_MS = 10_000;
const none: readonly SlashCommand[] = [];

/** A command for each protocol: its steps go into the plan, and the agent is told to work through them. */
export function useProtocolCommands(sessionId: string | null, isWanted: boolean): readonly SlashCommand[] {
  const client = useTRPCClient();
  const input = sessionId === null ? {} : { sessionId };
  const { data } = useQuery(
    useTRPC().todos.protocols.queryOptions(input, { enabled: isWanted, staleTime: STALE_MS, refetchOnMount: true }),
  );
  const protocols = data?.protocols;
  return useMemo(
    () =>
      protocols?.map(({ id, name, description, origin, stepCount }) => ({
        name: id,
        argument: 'what it is about',
        group: 'Protocols',
        description: [name, description, origin === 'own' ? `Your own, ${stepCount} steps.` : `${stepCount} steps.`]
          .filter((words) => words !== '')
          .join(' · '),
        async run(argument, ensureSession) {
          try {
            await client.todos.startProtocol.mutate({ sessionId: await ensureSession(), protocolId: id });
          } catch (error) {
            showFailure(wordsForError(error));
            return false;
          }
          return `Work through the protocol “${name}”; its steps are in the plan.${argument === '' ? '' : `\n\n${argument}`}`;
        },
      })) ?? none,
    [protocols, client],
  );
}
