import type { ConnectionState } from '../../../server/providers/types';
import { WithCode } from '../../components/with-code';

interface FirstStartProps {
  connections: readonly ConnectionState[];
}

/** Only the demo answers so far: what that is, and how to connect a real model. */
export function FirstStart({ connections }: FirstStartProps) {
  const unreachable = connections.filter((connection) => connection.state === 'unreachable');
  return (
    <section aria-labelledby="first-start" className="mt-8 border-line border-t pt-5 text-meta text-muted">
      <h2 id="first-start" className="font-medium text-text">
        The demo model answers for now
      </h2>
      <p className="mt-1">
        It is built in and scripted: it really calls tools and streams, so that you can look around, but it does not
        think. To connect a model of your own:
      </p>
      <dl className="mt-3 grid gap-x-5 gap-y-2.5 sm:grid-cols-[auto_1fr]">
        <dt className="font-medium text-text">Ollama</dt>
        <dd>
          Start it on this machine and pull a model, e.g. <Code>ollama pull qwen3</Code>. Navi finds it by itself;
          another address goes into <Code>OLLAMA_BASE_URL</Code>.
        </dd>
        <dt className="font-medium text-text">OpenAI-compatible</dt>
        <dd>
          Set <Code>OPENAI_BASE_URL</Code> and, where needed, <Code>OPENAI_API_KEY</Code>, then start Navi again.
        </dd>
      </dl>
      {unreachable.map((connection) => (
        <p key={connection.id} className="mt-3 text-warning">
          <WithCode text={connection.reason ?? `${connection.label} cannot be reached.`} />
        </p>
      ))}
    </section>
  );
}

/** What is set up does not answer: nothing else takes its place, so that is said before the first message is. */
export function WaitingForModel({ reason }: { reason: string }) {
  return (
    <section role="status" aria-label="Model" className="mt-8 border-line border-t pt-5 text-meta text-muted">
      <p className="font-medium text-warning">
        <WithCode text={reason} />
      </p>
      <p className="mt-1">
        It is asked again every few seconds and with every message. Another model, or the built-in demo, can be chosen
        below the field meanwhile.
      </p>
    </section>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded-[4px] bg-hover px-1 py-px font-mono text-[0.92em] text-text">{children}</code>;
}
