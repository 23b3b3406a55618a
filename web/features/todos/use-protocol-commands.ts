import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ProtocolSummary } from '../../../server/domains/todos/schema';
import { wordsForError } from '../../lib/error-words';
import type { CommandList, SlashCommand } from '../../lib/slash-command';
import { showFailure } from '../../lib/toast';
import { useTRPC, useTRPCClient } from '../../lib/trpc';

/** Files of a person's own come and go: their list is read again after this time, in milliseconds. */
const STALE_MS = 10_000;

/**
 * A command for each protocol: its steps go into the plan, and the agent is told to work through them. Protocols are files:
 * they are looked for when their list is loaded, not before.
 */
export function useProtocolCommands(sessionId: string | null): CommandList {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = sessionId === null ? {} : { sessionId };
  const { data } = useQuery(trpc.todos.protocols.queryOptions(input, { enabled: false }));
  const protocols = data?.protocols;
  return useMemo(() => {
    const toCommands = (entries: readonly ProtocolSummary[]) =>
      entries.map(
        ({ id, name, description, origin, stepCount }): SlashCommand => ({
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
        }),
      );
    return {
      commands: toCommands(protocols ?? []),
      load: async () => {
        const options = trpc.todos.protocols.queryOptions(sessionId === null ? {} : { sessionId });
        return toCommands((await queryClient.fetchQuery({ ...options, staleTime: STALE_MS, retry: false })).protocols);
      },
    };
  }, [protocols, sessionId, client, trpc, queryClient]);
}
