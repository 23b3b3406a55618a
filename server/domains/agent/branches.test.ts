import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../lib/errors';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { say } from '../../testing/scripted-model';
import { transcript, useApps } from '../../testing/use-apps';

/** One message of the model of the history: a tree in which the current path is what people see. */
interface Node {
  text: string;
  role: 'user' | 'assistant';
  parent: Node | null;
  children: Node[];
  /** The child that was on the path when this one was last left. */
  current: Node | null;
}

function createTree() {
  const root: Node = { text: '', role: 'assistant', parent: null, children: [], current: null };
  const path = (): Node[] => {
    const found: Node[] = [];
    for (let at = root.current; at !== null; at = at.current) found.push(at);
    return found;
  };
  const add = (parent: Node, role: Node['role'], text: string): Node => {
    const node: Node = { text, role, parent, children: [], current: null };
    parent.children.push(node);
    parent.current = node;
    return node;
  };
  return {
    root,
    path,
    add,
    choose(node: Node) {
      for (let at = node; at.parent !== null; at = at.parent) at.parent.current = at;
    },
  };
}

describeEachEngine('branches', (getDatabase) => {
  const open = useApps(getDatabase);

  async function answered(app: TestApp, sessionId: string, text: string, answer: string) {
    app.model.replies.push(say(answer));
    await app.send(sessionId, text);
    await app.untilIdle(sessionId);
  }

  it('edits and resends the first message beside the old conversation', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await answered(app, sessionId, 'one', 'a');
    await answered(app, sessionId, 'two', 'b');
    app.model.replies.push(say('c'));
    const edited = { sessionId, sequenceNumber: 1, clientMessageId: 'edit', text: 'uno' };
    const sent = await app.api.messages.editAndResend(edited);
    // A retry after a lost reply, while the answer is being written.
    expect(await app.api.messages.editAndResend(edited)).toEqual(sent);
    // And once more when the model has gone meanwhile.
    const { models } = app.model;
    const { defaultModel } = models;
    models.defaultModel = async () => {
      throw new AppError('provider-unavailable', 'The model is gone.');
    };
    expect(await app.api.messages.editAndResend(edited)).toEqual(sent);
    models.defaultModel = defaultModel;
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map((message) => [message.content, message.variants?.index ?? null])).toEqual([
      ['uno', 1],
      ['c', null],
    ]);
    expect(app.model.calls.at(-1)?.prompt.slice(1)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'uno' }] },
    ]);
    await app.api.messages.selectVariant({ sessionId, branchId: messages[0]?.variants?.branchIds[0] ?? -1 });
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['one', 'a', 'two', 'b']);
    const item = await app.api.sessions.get({ sessionId });
    expect([item.displayMessageCount, item.preview]).toEqual([4, 'b']);
  });

  it('keeps exactly one current path and deletes nothing, whatever is regenerated, edited and chosen', async () => {
    const app = await open();
    const step = fc.record({
      kind: fc.constantFrom('send', 'regenerate', 'edit', 'select', 'select', 'select'),
      at: fc.nat({ max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const sessionId = await app.newSession();
        const tree = createTree();
        const sequenceOf = new Map<Node, number>();
        let count = 0;
        const turn = async (parent: Node, run: (text: string) => Promise<unknown>, question: string | null) => {
          const text = question ?? '';
          const answer = `a${++count}`;
          app.model.replies.push(say(answer));
          await run(text);
          await app.untilIdle(sessionId);
          const asked = question === null ? parent : tree.add(parent, 'user', text);
          tree.choose(tree.add(asked, 'assistant', answer));
        };
        for (const { kind, at } of steps) {
          const path = tree.path();
          const questions = path.filter((node) => node.role === 'user');
          const chosen = questions[at % Math.max(1, questions.length)];
          if (kind === 'send' || chosen === undefined) {
            await turn(path.at(-1) ?? tree.root, (text) => app.send(sessionId, text), `q${++count}`);
          } else if (kind === 'regenerate') {
            const sequenceNumber = sequenceOf.get(chosen) ?? -1;
            await turn(chosen, () => app.api.messages.regenerate({ sessionId, sequenceNumber }), null);
          } else if (kind === 'edit') {
            const sequenceNumber = sequenceOf.get(chosen) ?? -1;
            const clientMessageId = `edit-${++count}`;
            const edit = (text: string) =>
              app.api.messages.editAndResend({ sessionId, sequenceNumber, clientMessageId, text });
            await turn(chosen.parent ?? tree.root, edit, `e${++count}`);
          } else {
            // Any branch, a nested one inside a replaced one too.
            const branches = await getDatabase().prisma.sessionBranch.findMany({
              where: { sessionId },
              orderBy: { id: 'asc' },
            });
            const branch = branches[at % Math.max(1, branches.length)];
            if (branch === undefined) continue;
            await app.api.messages.selectVariant({ sessionId, branchId: branch.id });
            const first = await getDatabase().prisma.sessionMessage.findFirst({
              where: { sessionId, branchId: branch.id },
              orderBy: { sequenceNumber: 'asc' },
            });
            const node = [...sequenceOf].find(([, sequence]) => sequence === first?.sequenceNumber)?.[0];
            if (node !== undefined) tree.choose(node);
          }
          const shown = (await app.api.messages.page({ sessionId, limit: 200 })).messages;
          const expected = tree.path();
          expect(shown.map((message) => message.content)).toEqual(expected.map((node) => node.text));
          for (const [index, node] of expected.entries()) sequenceOf.set(node, shown[index]?.sequenceNumber ?? -1);
          for (const message of shown) {
            const { variants } = message;
            if (variants !== null) expect(variants.branchIds[variants.index]).toBe(message.branchId);
          }
          // The switcher stands on every message that has siblings, and on no other.
          expect(shown.map((message) => message.variants?.branchIds.length ?? 1)).toEqual(
            expected.map((node) => node.parent?.children.length),
          );
          const all = await getDatabase().prisma.sessionMessage.count({ where: { sessionId } });
          expect(all).toBe([...sequenceOf.keys()].length);
          const item = await app.api.sessions.get({ sessionId });
          expect([item.displayMessageCount, item.preview]).toEqual([expected.length, expected.at(-1)?.text]);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('refuses to branch while an answer is written, and an unknown or foreign variant', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await answered(app, sessionId, 'one', 'a');
    const other = await app.newSession();
    await answered(app, other, 'one', 'a');
    await app.api.messages.regenerate({ sessionId: other });
    await app.untilIdle(other);
    const [foreign] = (await app.api.messages.page({ sessionId: other })).messages[1]?.variants?.branchIds ?? [];
    for (const branchId of [foreign ?? -1, 999_999]) {
      const choose = app.api.messages.selectVariant({ sessionId, branchId });
      await expect(choose).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['one', 'a']);
  });
});
