import { useEffect, useState } from 'react';
import { formatWholeSeconds } from '../../../lib/format';

/** Seconds since a moment, once there is something to count. Clocks that differ never count backwards. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const ms = now - Date.parse(since);
  return ms < 2_000 ? null : <span className="tabular text-faint">{formatWholeSeconds(ms)}</span>;
}
