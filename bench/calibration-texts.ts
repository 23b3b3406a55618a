/** Deterministic texts of six kinds for the calibration benchmark. Sentences are put together anew for every message. */

export type TextKind = 'english' | 'russian' | 'chinese' | 'code' | 'json' | 'mixed tool output';
export const textKinds: readonly TextKind[] = ['english', 'russian', 'chinese', 'code', 'json', 'mixed tool output'];

/** A small seeded generator (mulberry32): the same seed gives the same texts on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const english = [
  'The deployment failed again last night because the migration took longer than the health check allows.',
  'Could you look at the report and tell me which of the numbers changed since the previous quarter?',
  'I think we should keep the old endpoint for another month, until the mobile team has shipped its update.',
  'After reading the whole thread, my impression is that nobody has actually measured the slow query yet.',
  'She wrote that the contract covers maintenance, but not the cost of replacing the pumps.',
  'There are three options: wait for the vendor, write a workaround, or drop the feature from this release.',
  'Please remember that the customer in Lisbon wants invoices in Portuguese and in English.',
  'It rained all weekend, so we stayed at home, cooked far too much pasta and watched old films.',
  'The second paragraph repeats what the introduction says; I would remove it and move the example up.',
  "Let's not guess here: run it twice with the cache cleared and compare the two traces side by side.",
  'Most of the time is spent waiting for the disk, which surprised everybody in the room.',
  'Her grandmother kept bees for forty years and never once wore gloves.',
];
const russian = [
  'Вчера вечером выкладка снова не удалась, потому что миграция заняла больше времени, чем допускает проверка.',
  'Посмотри, пожалуйста, отчёт и скажи, какие цифры изменились по сравнению с прошлым кварталом.',
  'Мне кажется, старый адрес стоит оставить ещё на месяц, пока мобильная команда не выпустит обновление.',
  'Я перечитал всю переписку, и у меня сложилось впечатление, что медленный запрос никто так и не измерил.',
  'Она написала, что договор покрывает обслуживание, но не замену насосов.',
  'Есть три варианта: ждать поставщика, написать обходное решение или убрать эту возможность из выпуска.',
  'Не забудь, что заказчику из Новосибирска счета нужны и на русском, и на английском языке.',
  'Все выходные шёл дождь, поэтому мы сидели дома, варили макароны и пересматривали старые фильмы.',
  'Второй абзац повторяет введение; я бы его удалил, а пример перенёс выше.',
  'Давайте не будем гадать: запустим дважды с пустым кэшем и сравним результаты.',
  'Большая часть времени уходит на ожидание диска, что удивило всех присутствующих.',
];
const chinese = [
  '昨天晚上的部署又失败了，因为迁移花费的时间超过了健康检查允许的上限。',
  '请看一下这份报告，告诉我与上个季度相比有哪些数字发生了变化。',
  '我认为旧接口应该再保留一个月，直到移动团队发布更新为止。',
  '读完整个讨论之后，我的印象是还没有人真正测量过那条慢查询。',
  '她写道，合同包括维护费用，但不包括更换水泵的费用。',
  '有三种选择：等待供应商、自己写一个替代方案，或者从这个版本中去掉这项功能。',
  '请记住，上海的客户需要中文和英文两种发票。',
  '整个周末都在下雨，所以我们待在家里，做了很多面条，还看了几部老电影。',
  '第二段重复了引言的内容，我建议删掉它，把例子移到前面。',
  '大部分时间都花在等待磁盘上，这让在场的所有人都感到意外。',
];
const code = [
  'export function createSessionService({ store, events, clock }: SessionDependencies) {\n  return {\n    async rename(sessionId: string, name: string): Promise<void> {\n      const session = await store.get(sessionId);\n      if (session.name === name) return;\n      await store.update(sessionId, { name, updatedAt: clock.now() });\n    },\n  };\n}\n',
  'def read_rows(path: Path, *, limit: int | None = None) -> Iterator[dict[str, str]]:\n    """Yield rows of a CSV file as dictionaries."""\n    with path.open(newline="", encoding="utf-8") as handle:\n        for index, row in enumerate(csv.DictReader(handle)):\n            if limit is not None and index >= limit:\n                break\n            yield row\n',
  'for (let index = 0; index < items.length; index++) {\n  const item = items[index];\n  if (item === undefined || seen.has(item.id)) continue;\n  seen.add(item.id);\n  total += item.price * (1 - item.discount);\n}\n',
  'func (s *Server) handle(w http.ResponseWriter, r *http.Request) {\n\tctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)\n\tdefer cancel()\n\tif err := s.store.Ping(ctx); err != nil {\n\t\thttp.Error(w, err.Error(), http.StatusServiceUnavailable)\n\t\treturn\n\t}\n}\n',
  'SELECT s.id, s.name, count(m.id) AS messages\nFROM sessions s\nLEFT JOIN session_messages m ON m.session_id = s.id AND m.is_display\nWHERE s.user_id = $1\nGROUP BY s.id, s.name\nORDER BY s.last_active DESC\nLIMIT 50;\n',
];
const logs = [
  'total 184\ndrwxr-xr-x 12 app app  4096 Mar  3 10:12 .\n-rw-r--r--  1 app app  1822 Feb 27 08:40 package.json\n-rw-r--r--  1 app app 98211 Mar  3 10:11 package-lock.json\ndrwxr-xr-x  6 app app  4096 Mar  1 22:05 server\n',
  '2026-03-03T10:12:44.183Z ERROR worker-3 request failed method=POST path=/api/v2/orders status=502 durationMs=30012 id=7f3a9c21-5d0e-4a7b-9b1f-0c6f1f2f7e55\n',
  ' ✓ server/lib/text.test.ts (14 tests) 31ms\n ✗ server/domains/orders/service.test.ts > refuses an empty cart\n   AssertionError: expected 200 to be 422\n    at service.test.ts:48:31\n',
  'diff --git a/server/env.ts b/server/env.ts\nindex 3f1c9aa..8be02d1 100644\n--- a/server/env.ts\n+++ b/server/env.ts\n@@ -17,6 +17,7 @@ const schema = z.object({\n   PORT: port.default(3000),\n+  HOST: z.string().default("127.0.0.1"),\n',
];

/** A text of one kind of at least `chars` characters. */
export function makeText(kind: TextKind, chars: number, random: () => number): string {
  let text = '';
  while (text.length < chars) text += piece(kind, random);
  return text;
}

function piece(kind: TextKind, random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  switch (kind) {
    case 'english':
      return `${pick(english)} `;
    case 'russian':
      return `${pick(russian)} `;
    case 'chinese':
      return pick(chinese);
    case 'code':
      return pick(code);
    case 'json':
      return `${JSON.stringify({ id: Math.floor(random() * 1e9), status: pick(['open', 'paid', 'late']), amount: Math.round(random() * 1e5) / 100, tags: [pick(english).slice(0, 14)], at: `2026-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}T08:00:00Z`, isActive: random() > 0.5 }, null, 2)},\n`;
    case 'mixed tool output': {
      const share = random();
      if (share < 0.4) return pick(logs);
      if (share < 0.6) return pick(code);
      return share < 0.8 ? piece('json', random) : `${pick(english)}\n`;
    }
  }
}
