/**
 * Asks our own server for an image of another one, and answers an address for `<img>`, null when it cannot be had. The caller
 * revokes it. A POST on purpose: no markup can make one.
 */
export async function fetchImage(address: string): Promise<string | null> {
  try {
    const url = address.startsWith('//') ? `https:${address}` : address;
    const answer = await fetch('/api/remote-images', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
  } catch {
    return null;
  }
}
