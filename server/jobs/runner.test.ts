import { expect, it } from 'vitest';
import { describeEachEngine } from '../testing/database';
import { startJobs } from './runner';

describeEachEngine('jobs', (getDatabase) => {
  it('starts beside another worker on the same database and stops cleanly', async () => {
    const errors: unknown[] = [];
    const job = { definition: { name: 'probe', cron: '* * * * *' }, handler: async () => {} };
    const runners = await Promise.all([1, 2].map(() => startJobs(getDatabase(), [job], (error) => errors.push(error))));
    const { rows } = await getDatabase().pool.query('SELECT name, cron FROM pgboss.schedule');
    expect(rows).toEqual([{ name: 'probe', cron: '* * * * *' }]);
    for (const runner of runners) await runner.close();
    expect(errors).toEqual([]);
  });
});
