import type { ContextService } from '../domains/agent/context-service';
import type { AgentService } from '../domains/agent/service';
import type { CompressionService } from '../domains/compression/service';
import type { KvService } from '../domains/kv/service';
import type { MemoryService } from '../domains/memory/service';
import type { MessageService } from '../domains/messages/service';
import type { SessionService } from '../domains/sessions/service';
import type { TodoService } from '../domains/todos/service';
import type { EventFeed } from '../events/feed';
import type { Person } from '../lib/person';
import type { ModelRegistry } from '../providers/types';

/** What routers can reach. */
export interface Services {
  sessions: SessionService;
  messages: MessageService;
  agent: AgentService;
  models: ModelRegistry;
  kv: KvService<Person>;
  todos: TodoService;
  compressions: CompressionService;
  memory: MemoryService;
  context: ContextService;
  feed: EventFeed;
}

export interface TrpcContext {
  person: Person;
  services: Services;
  /** Logs an unexpected error once and returns the id that the answer carries. */
  reportUnexpected(error: unknown): string;
}
