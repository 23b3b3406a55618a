/** The tool `protocol`: named checklists whose steps stand in the plan, so that nothing of them is skipped by accident. */
import * as z from 'zod';
import { AppError } from '../../../lib/errors';
import type { ProtocolFile } from '../../todos/engine/protocol-file';
import type { ProtocolService } from '../../todos/protocol-service';
import { MAX_STEP_CHARS } from '../../todos/schema';
import { describePlan, planMetadata } from './todo';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolOutput } from './types';

const inputSchema = z.object({
  action: z.enum(['list', 'start', 'finish', 'cancel', 'fail']),
  protocol: z.string().optional().describe('start: its id'),
  run: z.string().optional().describe('needed when several are in progress'),
  note: z.string().max(MAX_STEP_CHARS).optional().describe('result or reason; demanded for cancel and fail'),
  after: z.int().min(0).optional().describe('start: position in the plan before its steps'),
});

export function createProtocolTool(protocols: ProtocolService): Tool {
  const needNote = (action: string, note: string | undefined): string => {
    if (note === undefined || note.trim() === '') throw new ToolError(`${action} needs \`note\`: say why.`);
    return note.trim();
  };

  async function run(
    input: z.infer<typeof inputSchema>,
    { sessionId, epoch, userId }: Pick<ToolContext, 'sessionId' | 'epoch' | 'userId'>,
  ): Promise<ToolOutput> {
    const reference = { sessionId, epoch, runId: input.run };
    switch (input.action) {
      case 'list': {
        const listed = await protocols.list(sessionId, userId);
        const active = listed.runs.filter((one) => one.status === 'active');
        const files = await Promise.all(active.map((one) => protocols.read(userId, one.protocolId)));
        // A person may have started it, or what was said at its start has left the context.
        const guides = files.flatMap((file) => (file === null ? [] : [describeGuide(file)]));
        return { text: [describeList(listed), ...guides].join('\n\n') };
      }
      case 'start': {
        if (input.protocol === undefined) throw new ToolError('start needs `protocol`; list shows them.');
        const { protocol: protocolId, after } = input;
        const started = await protocols.start({ sessionId, epoch, userId, protocolId, after });
        const { protocol, positions, snapshot } = started;
        const steps = protocol.steps.map((step, index) => {
          const detail = step.detail === '' ? '' : `\n   ${step.detail.replaceAll('\n', '\n   ')}`;
          return `${positions[index]}. ${step.text}${detail}`;
        });
        return {
          text: [
            `Started ${protocol.name} (run ${started.run.id}). Its steps are in your plan:`,
            ...(protocol.guidance === '' ? [] : ['', protocol.guidance, '']),
            ...steps,
            '',
            'Work through them with your plan tool, then call protocol finish.',
          ].join('\n'),
          metadata: { ...planMetadata(snapshot), protocolRunId: started.run.id, protocolId: protocol.id },
        };
      }
      case 'finish': {
        const result = await protocols.finish(reference, input.note?.trim() || null);
        if (!result.ok) {
          const open = result.open.map((step) => `${step.position} (${step.text}, ${step.status})`).join('; ');
          throw new ToolError(
            `${result.run.name} is not finished: ${result.open.length === 1 ? 'this step is' : 'these steps are'} still open: ${open}. ` +
              'Do them, or mark them skipped or failed with the reason; or cancel or fail the protocol.',
          );
        }
        return {
          text: `Finished ${result.run.name}.`,
          metadata: { ...planMetadata(result.snapshot), protocolRunId: result.run.id },
        };
      }
      case 'cancel':
      case 'fail': {
        const note = needNote(input.action, input.note);
        const ended = await protocols[input.action](reference, note);
        const skipped = ended.skipped.length === 0 ? 'No step was open.' : `Skipped: ${ended.skipped.join(', ')}.`;
        return {
          text: `${ended.run.name} was ${ended.run.status}. ${skipped}\n${describePlan(ended.snapshot)}`,
          metadata: { ...planMetadata(ended.snapshot), protocolRunId: ended.run.id },
        };
      }
    }
  }

  return defineTool({
    name: 'protocol',
    description:
      'Proven checklists for recurring work. list, also how to do what is in progress; start adds one to your plan; finish once its steps are closed; cancel or fail skips the open ones.',
    // It changes nothing but the plan, which the person sees at once.
    class: 'read',
    input: inputSchema,
    timeoutMs: 15_000,
    resultLimitChars: 20_000,
    isCompressionCritical: false,
    async run(input, context) {
      try {
        return await run(input, context);
      } catch (error) {
        if (error instanceof AppError) throw new ToolError(error.message);
        throw error;
      }
    },
  });
}

function describeGuide({ name, guidance, steps }: ProtocolFile): string {
  const details = steps.flatMap(({ text, detail }) => (detail === '' ? [] : [`- ${text}: ${detail}`]));
  return [`How ${name} is done:`, ...(guidance === '' ? [] : [guidance]), ...details].join('\n');
}

function describeList({ protocols, problems, runs }: Awaited<ReturnType<ProtocolService['list']>>): string {
  const lines = protocols.map(({ id, name, description, origin, stepCount }) => {
    const own = origin === 'own' ? ', the person’s own' : '';
    return `- ${id}: ${name} (${stepCount} steps${own})${description === '' ? '' : `. ${description}`}`;
  });
  const active = runs.filter((run) => run.status === 'active');
  return [
    lines.length === 0 ? 'There are no protocols.' : lines.join('\n'),
    ...(active.length === 0
      ? []
      : [`In progress: ${active.map((run) => `${run.protocolId} (run ${run.id})`).join(', ')}.`]),
    ...problems.map(({ file, problem }) => `${file} cannot be used: ${problem}.`),
  ].join('\n');
}
