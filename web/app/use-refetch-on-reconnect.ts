import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../lib/connection-status';

/** What could not be read while the server was away is read as soon as it is back. */
export function useRefetchOnReconnect(): void {
  const connection = useConnection();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      connection.onStatus(() => {
        if (connection.status() !== 'open') return;
        void queryClient.refetchQueries({ predicate: (query) => query.state.status === 'error' });
      }),
    [connection, queryClient],
  );
}
