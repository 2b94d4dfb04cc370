// Streams of a generated client against the mock server, whose connections break and fall silent on request. Ends with
// an error where an event is lost, repeated or out of order.
import { StreamsClient } from "./typescript/src/index.js";

declare const process: { env: Record<string, string | undefined> };

const baseUrl = process.env["BASE_URL"] ?? "http://127.0.0.1:4010";
const client = new StreamsClient({
  baseUrl,
  validateResponses: "strict",
  reconnectMaxMs: 10,
});

async function control(path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/__tungsten/${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? null : answer.json();
}

function expect(title: string, found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${title}: ${a} instead of ${b}`);
  console.log(`${title}: ${a}`);
}

/**
 * Watches the tides while the next answers go wrong. A reset may take bytes with it that had arrived, so where exactly a
 * broken stream is resumed is chance; that it is the last event delivered, is not.
 */
async function watch(injections: readonly string[]): Promise<unknown> {
  await control("reset", {});
  await control(
    "program",
    injections.map((inject) => ({ operation: "watchTides", inject })),
  );
  const read = await client.tides.listStream({}, { idleTimeoutMs: 300 }).collect();
  const events = read.ok ? read.value : read.partial;
  const calls = (await control("calls")) as { headers: [string, string][] }[];
  const resumed = calls.map((call) => new Map(call.headers).get("last-event-id") ?? null);
  const delivered = (reconnects: number) =>
    events.filter(({ meta }) => meta.reconnects < reconnects).at(-1)?.id ?? null;
  const isRight = resumed.every((id, reconnects) => id === delivered(reconnects));
  return {
    ids: events.map((event) => event.id),
    reconnects: read.reconnects,
    resumed: isRight ? "where it was" : resumed,
    failed: read.ok ? null : [read.error.category, read.error.code],
  };
}

const ids = ["1", "2", "3"];
const resumed = "where it was";
expect("whole", await watch([]), { ids, reconnects: 0, resumed, failed: null });
for (let after = 0; after <= 3; after += 1) {
  const wanted = { ids, reconnects: 1, resumed, failed: null };
  expect(`broken after ${after}`, await watch([`drop-after=${after};retry=1`]), wanted);
  expect(`silent after ${after}`, await watch([`stall-after=${after}`]), wanted);
}
expect("broken after each event", await watch(["drop-after=1", "drop-after=1", "drop-after=1"]), {
  ids,
  reconnects: 3,
  resumed,
  failed: null,
});
expect("broken too often", await watch(["drop-after=0", "drop-after=0", "drop-after=0", "drop-after=0"]), {
  ids: [],
  reconnects: 3,
  resumed,
  failed: ["TRANSPORT_FAILED", null],
});
expect("silent too often", await watch(["stall-after=1", "stall-after=0", "stall-after=0", "stall-after=0"]), {
  ids: ["1"],
  reconnects: 3,
  resumed,
  failed: ["UPSTREAM_UNAVAILABLE", "STREAM_IDLE"],
});

// A change without a key is not sent again.
await control("program", [{ operation: "createAnswer", inject: "drop-after=1" }]);
const answer = await client.answers.createStream({ question: "when?" }).collect();
const failed = answer.ok ? null : answer.error.category;
expect("a change that breaks", [failed, answer.reconnects], ["OUTCOME_UNKNOWN", 0]);
const words = await client.answers.createStream({ question: "when?" }).reduce((count, { value }) => {
  return count + (typeof value.word === "string" ? 1 : 0);
}, 0);
expect("a change", words, { ok: true, value: 3, reconnects: 0 });
const whole = await client.answers.create({ question: "when?" });
expect("the same call at once", whole.ok && Array.isArray(whole.value.words), true);

const rows = await client.answers.rows.createStream({ body: { all: true } }).collect();
expect("JSON lines", rows.ok && rows.value.length, 3);
const log = await client.answers.log.getStream().collect();
expect("a JSON text sequence", log.ok && log.value.every(({ value }) => Number.isInteger(value)), true);
const text = await client.tides.text.getStream().first();
expect("text", text.ok && typeof text.value?.value, "string");

const chart = await client.charts.getStream({ name: "north" });
const size = chart.ok ? (await new Response(chart.value).arrayBuffer()).byteLength : -1;
expect("a download", size > 0, true);
const piece = (text: string) => new TextEncoder().encode(text);
const upload = new ReadableStream<Uint8Array>({
  start(controller) {
    for (const text of ["one", "two"]) controller.enqueue(piece(text));
    controller.close();
  },
});
expect("an upload", (await client.charts.update({ name: "north", body: upload })).ok, true);
const calls = (await control("calls")) as { body_text: string | null }[];
expect("what arrived", calls.at(-1)?.body_text, "onetwo");
