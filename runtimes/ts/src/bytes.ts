// Bytes that arrive in pieces: kept as they come and joined once, so that a long line costs what its bytes cost.

const NOTHING = new Uint8Array();

/** Bytes that arrive in pieces and are joined once. */
export class ByteBuffer {
  #pieces: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a copy: whoever filled the bytes may use them again. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes.slice());
    this.#length += bytes.length;
  }

  /** All bytes; the buffer is empty afterwards. */
  take(): Uint8Array {
    const [first = NOTHING, ...others] = this.#pieces;
    const length = this.#length;
    this.#pieces = [];
    this.#length = 0;
    if (others.length === 0) return first;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const piece of [first, ...others]) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}
