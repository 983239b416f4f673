/** A 32-bit FNV-1a hash with a final mix: the same on every machine, and spread over all bits. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const unit of text) h = Math.imul(h ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
