// Digests and random identifiers over WebCrypto, which every supported platform has. Reads bytes and text, returns
// text; what is signed or stored is decided by `confirm.ts` and `idempotency.ts`.

import { base64 } from "./json.js";

const utf8 = new TextEncoder();

/** A source of random numbers in `0.0..1.0`. */
export type Random = () => number;

/** The platform's cryptographic generator as numbers in `0.0..1.0`. */
export function cryptoRandom(): number {
  const word = new Uint32Array(1);
  crypto.getRandomValues(word);
  return (word[0] ?? 0) / 0x1_0000_0000;
}

/** `n` random bytes. */
export function randomBytes(n: number, random: Random): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(n);
  for (let i = 0; i < n; i += 1) bytes[i] = Math.floor(random() * 256);
  return bytes;
}

/** Lower-case hexadecimal text. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Hexadecimal SHA-256 of text (as UTF-8) or bytes. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? utf8.encode(data) : data;
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** HMAC-SHA-256 of text (as UTF-8), in base64url without padding: 43 characters. */
export async function hmacBase64Url(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", imported, utf8.encode(text));
  return base64Url(new Uint8Array(signature));
}

/** URL-safe base64 without padding (RFC 4648, section 5). */
export function base64Url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Compares all characters whatever they are, so that time tells nothing about where two texts differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i += 1) difference |= left.charCodeAt(i) ^ right.charCodeAt(i);
  return difference === 0;
}

/** A random UUID of version 4 (RFC 9562, section 5.4). */
export function uuidV4(random: Random): string {
  const bytes = randomBytes(16, random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = hex(bytes);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}
