/** Which images of a message the model was not shown, and why, in words for the person who looks. Pure. */
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { visibleName } from '../../../lib/file-names';

/** One line a reason; none when everything was shown, or nothing is decided yet. */
export function withheldWords({
  images,
  metadata,
  role,
}: Pick<PagedMessage, 'images' | 'metadata' | 'role'>): string[] {
  const withheld = metadata.imagesWithheld ?? [];
  const namesOf = (reason: string) =>
    (images ?? [])
      .filter(({ id }) => withheld.some((one) => one.id === id && one.reason === reason))
      .map(({ name }) => visibleName(name));
  const unreadable = (images ?? []).flatMap(({ id, name }) => {
    const found = withheld.find((one) => one.id === id && one.reason === 'unreadable');
    return found === undefined
      ? []
      : [`The model was not shown ${visibleName(name)}: ${found.detail ?? 'its bytes cannot be read'}.`];
  });
  const [unseen, waiting] = [namesOf('no-vision'), namesOf('no-room')];
  return [
    ...(unseen.length === 0
      ? []
      : [`This model sees no images: it was told the ${unseen.length === 1 ? 'name' : 'names'} only.`]),
    ...(waiting.length === 0
      ? []
      : [
          // What a tool opened in vain is not opened once more by itself.
          `No room in the model’s window for ${waiting.join(', ')}${role === 'tool' ? '.' : ': it opens them when it needs them.'}`,
        ]),
    ...unreadable,
  ];
}
