/**
 * Cuts what a PostgreSQL client sends into units that the backend must run without another client in between: everything
 * up to a Sync, a simple query, or the start-up message. Format: PostgreSQL documentation, "Message Formats".
 */

export interface MessageUnit {
  bytes: Uint8Array;
  /** False after a Flush without Sync: the client is in the middle of a pipeline and the backend stays its own. */
  isComplete: boolean;
}

export interface MessageReaderOptions {
  onUnit: (unit: MessageUnit) => void;
  /** The client asked for TLS or GSS encryption; it expects one byte, `N` for no. */
  onRefuseEncryption: () => void;
  /** The client said goodbye, or wants to cancel a statement, which the one backend cannot do. */
  onEnd: () => void;
}

const sslRequest = 80877103;
const gssRequest = 80877104;
const cancelRequest = 80877102;

const sync = 0x53;
const simpleQuery = 0x51;
const functionCall = 0x46;
const flush = 0x48;
const terminate = 0x58;
/** PostgreSQL's own limit for one message (1 GB): more is no message of this protocol. */
const longestMessageBytes = 0x3fffffff;

/** Returns a function that takes the bytes as they arrive, cut anywhere. */
export function createMessageReader(options: MessageReaderOptions): (data: Buffer) => void {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  /** Bytes needed before the next look is worth while, so that a large message is joined once and not per chunk. */
  let neededBytes = 0;
  let isStarted = false;
  let unit: Buffer[] = [];

  /** Length of the first message of the buffer, or null when its head is incomplete. */
  const messageBytes = (buffer: Buffer): number | null => {
    if (!isStarted) return buffer.length < 8 ? null : buffer.readInt32BE(0);
    return buffer.length < 5 ? null : 1 + buffer.readInt32BE(1);
  };

  const onMessage = (message: Buffer) => {
    if (!isStarted) {
      const code = message.readInt32BE(4);
      if (code === sslRequest || code === gssRequest) return options.onRefuseEncryption();
      if (code === cancelRequest) return options.onEnd();
      isStarted = true;
      return options.onUnit({ bytes: message, isComplete: true });
    }
    const type = message[0];
    if (type === terminate) return options.onEnd();
    unit.push(message);
    if (type === sync || type === simpleQuery || type === functionCall || type === flush) {
      options.onUnit({ bytes: Buffer.concat(unit), isComplete: type !== flush });
      unit = [];
    }
  };

  return (data) => {
    chunks.push(data);
    bufferedBytes += data.length;
    if (bufferedBytes < neededBytes) return;
    let buffer = chunks.length === 1 ? data : Buffer.concat(chunks);
    neededBytes = 0;
    for (let length = messageBytes(buffer); length !== null; length = messageBytes(buffer)) {
      if (length < 5 || length > longestMessageBytes) {
        chunks = [];
        bufferedBytes = 0;
        options.onEnd();
        return;
      }
      if (buffer.length < length) {
        neededBytes = length;
        break;
      }
      onMessage(buffer.subarray(0, length));
      buffer = buffer.subarray(length);
    }
    chunks = buffer.length === 0 ? [] : [buffer];
    bufferedBytes = buffer.length;
  };
}
