// The hotel: a file with a line for every room it holds. It knows a key it has seen, and gives the same room again.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const call = JSON.parse(readFileSync(0, "utf8"));
const book = `${process.env.STAY_WORLD}/rooms.jsonl`;
const held = existsSync(book) ? readFileSync(book, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)) : [];
let room = held.find((each) => each.key === call.effect_id);
if (!room) {
  room = { key: call.effect_id, room: `room-${101 + held.length}`, nights: call.input.nights };
  appendFileSync(book, JSON.stringify(room) + "\n");
}
await patience("reserve");
process.stdout.write(JSON.stringify({ output: { room: room.room } }));

// A hotel that is slow to answer: while the file `slow-reserve` is there, the answer is kept back.
async function patience(name) {
  writeFileSync(`${process.env.STAY_WORLD}/answered-${name}`, "");
  while (existsSync(`${process.env.STAY_WORLD}/slow-${name}`)) await new Promise((done) => setTimeout(done, 20));
}
