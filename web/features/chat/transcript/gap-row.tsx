import { Spinner } from '../../../components/spinner';

/** Stands for what was not read yet; reading on begins before it comes into view. */
export function GapRow() {
  return (
    <div
      role="status"
      className="mx-auto flex max-w-[760px] items-center justify-center gap-2 px-6 py-6 text-faint text-meta"
    >
      <Spinner />
      Reading on
    </div>
  );
}
