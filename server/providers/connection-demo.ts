/** The connection that is always there: the built-in demo model. */
import type { Clock } from '../lib/clock';
import type { Connection } from './connection';
import { createDemoModel, DEMO_MODEL_NAME } from './demo/demo-model';

export interface DemoConnectionSettings {
  clock: Clock;
  windowTokens: number;
  wordDelayMs: number;
}

/** Creates the connection; it has one model, `demo/agent`. */
export function createDemoConnection(settings: DemoConnectionSettings): Connection {
  return {
    id: 'demo',
    kind: 'demo',
    label: 'Demo',
    address: null,
    defaultWindowTokens: settings.windowTokens,
    listModels: async () => [{ id: `demo/${DEMO_MODEL_NAME}`, name: DEMO_MODEL_NAME, advertisedWindowTokens: null }],
    advertisedWindowTokens: async () => null,
    language: () => createDemoModel({ clock: settings.clock, wordDelayMs: settings.wordDelayMs }),
    providerOptions: ({ windowTokens, think }) => ({ demo: { windowTokens, think } }),
  };
}
