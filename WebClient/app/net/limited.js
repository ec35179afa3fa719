// Answers of strangers' servers, read up to a limit.

/**
 * The bytes of an answer with their media type. Its length is looked at before anything is read, but may be missing, or wrong.
 * @param {Response} response
 * @param {number} most bytes
 * @returns {Promise<Blob>}
 * @throws for a longer one; nothing more of it is loaded then
 */
export async function limitedBlob(response, most) {
  const tooLong = () => new Error(`${response.url}: more than ${most} bytes`);
  if (Number(response.headers.get('content-length')) > most) {
    void response.body?.cancel();
    throw tooLong();
  }
  const reader = response.body?.getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let length = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length;
    if (length > most) {
      void reader?.cancel();
      throw tooLong();
    }
    parts.push(part.value);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
}
