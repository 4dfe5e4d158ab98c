// Unpacks the model's numbers, as `WebNumbers` packs them: floats whose sign is the lowest bit, all
// first bytes, then all second ones, and so on; deflated, as base64.

/** Resolves to a Float32Array. */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = bytes.length / 4;
  const words = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) {
    const low = bytes[place] | (bytes[count + place] << 8);
    const word = low | (bytes[2 * count + place] << 16) | (bytes[3 * count + place] << 24);
    words[place] = (word >>> 1) | (word << 31);
  }
  return new Float32Array(words.buffer);
}
