import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Connection, ConnectionStatus } from './trpc';

export const ConnectionContext = createContext<Connection | null>(null);

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === null) throw new Error('useConnection outside of the app');
  return connection;
}

export function useConnectionStatus(): ConnectionStatus {
  const connection = useConnection();
  return useSyncExternalStore(connection.onStatus, connection.status);
}
