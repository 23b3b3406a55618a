/** What a job is and when it wakes, apart from what it does. */
export interface JobDefinition {
  name: string;
  /** When it is woken, in UTC. */
  cron: string;
}

/** Does the work. It may run twice, and on several workers at once: what must happen once is a transaction of the handler's own. */
export type JobHandler = () => Promise<void>;
