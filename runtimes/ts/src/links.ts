// Reads the `Link` header (RFC 8288, section 3). Pure; one pass over the text.

/** Target of the first link with the relation `next`; `null` when there is none. */
export function nextLink(header: string | undefined): string | null {
  const text = header ?? "";
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    if (open < 0) return null;
    const close = text.indexOf(">", open);
    if (close < 0) return null;
    const { rel, end } = parameters(text, close + 1);
    const types = (rel ?? "").toLowerCase().split(/\s+/);
    if (types.includes("next")) return text.slice(open + 1, close).trim();
    at = end;
  }
  return null;
}

/** The first `rel` among the parameters that follow a target, and where the next link begins. */
function parameters(text: string, start: number): { readonly rel: string | null; readonly end: number } {
  let rel: string | null = null;
  let at = start;
  while (at < text.length && text[at] !== ",") {
    if (text[at] !== ";") {
      at += 1;
      continue;
    }
    const name = word(text, at + 1, "=;,");
    at = name.end;
    if (text[at] !== "=") continue;
    const value = quotedOrWord(text, at + 1);
    at = value.end;
    if (rel === null && name.text.toLowerCase() === "rel") rel = value.text;
  }
  return { rel, end: at + 1 };
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

function word(text: string, start: number, stops: string): Piece {
  let end = start;
  while (end < text.length && !stops.includes(text[end] ?? "")) end += 1;
  return { text: text.slice(start, end).trim(), end };
}

function quotedOrWord(text: string, start: number): Piece {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  if (text[at] !== '"') return word(text, at, ";,");
  let value = "";
  for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at] === "\\") at += 1;
    value += text[at] ?? "";
  }
  return { text: value, end: Math.min(at + 1, text.length) };
}
