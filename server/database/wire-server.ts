/**
 * Lets several PostgreSQL clients share the one backend of the embedded engine, over a Unix socket.
 *
 * What one client sends up to its next Sync (a statement with its parameters) reaches the backend in one piece, and while a
 * client has a transaction open nobody else's statements do. `@electric-sql/pglite-socket` hands over message by message: once a
 * statement's parameters do not fit one read of the socket (about 64 kB), another client's statement gets in between and
 * runs with them.
 *
 * What cannot be kept apart, since there is one backend: settings (`SET`), named prepared statements, session locks, LISTEN.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createMessageReader, type MessageUnit } from './wire-messages';

/** The part of PGlite that is used here. */
export interface WireBackend {
  execProtocolRawStream(message: Uint8Array, options: { onRawData: (data: Uint8Array) => void }): Promise<void>;
  exec(query: string): Promise<unknown>;
  isInTransaction(): boolean;
}

export interface WireServerOptions {
  backend: WireBackend;
  socketPath: string;
  /** A client that leaves a transaction open and says nothing for this long is cut off: everybody else waits for it. */
  idleTransactionTimeoutMs?: number;
  /** The backend is broken beyond use; the process must end. */
  onBroken: (error: unknown) => void;
}

export interface WireServer {
  /** Stops accepting, finishes the statement that runs, cuts the clients off. */
  close(): Promise<void>;
}

interface Client {
  socket: Socket;
  units: MessageUnit[];
}

/** Starts listening at `socketPath`. */
export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const { backend, onBroken } = options;
  const idleTransactionTimeoutMs = options.idleTransactionTimeoutMs ?? 60_000;
  const clients = new Set<Client>();
  /** Clients with something to run, in order of arrival. */
  const waiting: Client[] = [];
  /** The client whose transaction, or unfinished pipeline, holds the backend. */
  let holder: Client | null = null;
  let holderTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isClosing = false;

  const hold = (client: Client | null) => {
    clearTimeout(holderTimer);
    holder = client;
    if (client !== null) holderTimer = setTimeout(() => client.socket.destroy(), idleTransactionTimeoutMs);
  };

  const nextClient = (): Client | undefined => {
    if (holder === null) return waiting.shift();
    const index = waiting.indexOf(holder);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };

  const runUnit = async (client: Client, unit: MessageUnit): Promise<void> => {
    clearTimeout(holderTimer);
    await backend.execProtocolRawStream(unit.bytes, {
      onRawData: (data) => {
        // PGlite reuses its buffer: the bytes must be copied.
        if (client.socket.writable) client.socket.write(Buffer.from(data));
      },
    });
    const isOpen = backend.isInTransaction() || !unit.isComplete;
    if (!isOpen) hold(null);
    else if (clients.has(client)) hold(client);
    else await rollBack(unit.isComplete);
  };

  /** Ends what a client that is gone left open. A pipeline without its Sync gets one, which ends it. */
  const rollBack = async (hasSync: boolean): Promise<void> => {
    if (!hasSync) {
      await backend.execProtocolRawStream(Buffer.from([0x53, 0, 0, 0, 4]), { onRawData: () => undefined });
    }
    if (backend.isInTransaction()) await backend.exec('ROLLBACK');
    hold(null);
  };

  const run = async (): Promise<void> => {
    for (let client = nextClient(); client !== undefined && !isClosing; client = nextClient()) {
      const unit = client.units.shift();
      if (unit === undefined) {
        // Only a client that is gone while it held the backend waits without a unit.
        await rollBack(false);
        continue;
      }
      await runUnit(client, unit);
      if (client.units.length > 0 && !waiting.includes(client)) waiting.push(client);
    }
  };

  const wake = () => {
    if (running !== null || isClosing) return;
    running = run()
      .catch(onBroken)
      .finally(() => {
        running = null;
        if (nextIsReady()) wake();
      });
  };
  const nextIsReady = () => (holder === null ? waiting.length > 0 : waiting.includes(holder));

  const onConnection = (socket: Socket) => {
    const client: Client = { socket, units: [] };
    clients.add(client);
    const readMessages = createMessageReader({
      onUnit: (unit) => {
        client.units.push(unit);
        if (client.units.length === 1 && !waiting.includes(client)) waiting.push(client);
        wake();
      },
      onRefuseEncryption: () => socket.write('N'),
      onEnd: () => socket.end(),
    });
    socket.on('data', readMessages);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clients.delete(client);
      client.units.length = 0;
      const index = waiting.indexOf(client);
      if (index >= 0) waiting.splice(index, 1);
      if (holder === client) {
        waiting.unshift(client);
        wake();
      }
    });
  };

  const server = createServer(onConnection);
  await listen(server, options.socketPath);
  return {
    close: async () => {
      isClosing = true;
      clearTimeout(holderTimer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await running;
      for (const client of clients) client.socket.destroy();
      await closed;
    },
  };
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
