import type { ContextService } from '../domains/agent/context-service';
import type { Planning } from '../domains/agent/planning/planning';
import type { AgentService } from '../domains/agent/service';
import type { Switching } from '../domains/agent/switching';
import type { CompressionService } from '../domains/compression/service';
import type { FileService } from '../domains/files/service';
import type { KvService } from '../domains/kv/service';
import type { MemoryService } from '../domains/memory/service';
import type { MessageService } from '../domains/messages/service';
import type { ProfileService } from '../domains/profiles/service';
import type { SessionService } from '../domains/sessions/service';
import type { ShareService } from '../domains/shares/service';
import type { ProtocolService } from '../domains/todos/protocol-service';
import type { TodoService } from '../domains/todos/service';
import type { EventFeed } from '../events/feed';
import type { Person } from '../lib/person';
import type { ModelRegistry } from '../providers/types';

/** What routers can reach. */
export interface Services {
  sessions: SessionService;
  messages: MessageService;
  agent: AgentService;
  planning: Pick<Planning, 'listLogs'>;
  switching: Switching;
  profiles: ProfileService;
  models: ModelRegistry;
  files: FileService;
  kv: KvService<Person>;
  todos: TodoService;
  protocols: ProtocolService;
  compressions: CompressionService;
  memory: MemoryService;
  shares: ShareService;
  context: ContextService;
  feed: EventFeed;
}

export interface TrpcContext {
  person: Person;
  services: Services;
  /** Scheme, host and port under which the person reaches Navi, for addresses that are handed on. */
  origin: string;
  /** Logs an unexpected error once and returns the id that the answer carries. */
  reportUnexpected(error: unknown): string;
}
