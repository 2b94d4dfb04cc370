// Calls the mock server through the generated client and prints what comes back: a value, the envelope of a call that is
// refused before anything is sent, and a destructive call with its preview.
import { HarbourClient } from "./typescript/src/index.js";

declare const process: { env: Record<string, string | undefined> };

const client = new HarbourClient({
  baseUrl: process.env["BASE_URL"] ?? "http://127.0.0.1:4010",
  auth: { token: "demo-token" },
});

function show(title: string, value: unknown): void {
  console.log(`\n${title}\n${JSON.stringify(value, null, 2)}`);
}

const berthId = "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a10";

const berth = await client.berths.get({ berthId });
show("client.berths.get({ berthId })", berth.ok ? berth.value : berth.error);

// A description is checked before anything is sent: the type checker is told to look away, as an agent's code would.
const refused = await client.berths.list({ limit: "ten" as unknown as number });
show('client.berths.list({ limit: "ten" })', refused.ok ? refused.value : refused.error);

const booking = await client.bookings.create(
  {
    berthId,
    arrivesOn: "2026-12-24",
    ship: { drive: "sail", name: "Pelikan", masts: 3 },
  },
  { idempotencyKey: crypto.randomUUID() },
);
show("client.bookings.create(…, { idempotencyKey })", booking.ok ? booking.value : booking.error);

const preview = await client.berths.delete.preview({ berthId });
if (!preview.ok) throw new Error("a preview sends nothing and needs nothing");
show("client.berths.delete.preview({ berthId })", preview.value);

const token = preview.value.confirmation_token;
const closed = await client.berths.delete({ berthId }, token === null ? {} : { confirm: token });
show("client.berths.delete({ berthId }, { confirm })", closed.ok ? "closed" : closed.error);

if (!berth.ok || refused.ok || !booking.ok || !closed.ok) throw new Error("the demo did not go as it should");
