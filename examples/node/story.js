// The story that is told in every language here: write an array to a file, with two metalayers; open it again; cut a slice;
// check it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { Blosc2Error, DoubleArray, remove } from "./blosc2.js";

const path = "story-node.b2nd";
if (existsSync(path)) remove(path);

const [rows, columns] = [300, 200];
const items = Float64Array.from({ length: rows * columns }, (_, n) => 1000 * Math.floor(n / columns) + (n % columns));
const written = DoubleArray.create(path, items, {
  shape: [rows, columns],
  chunks: [100, 100],
  blocks: [20, 50],
  meta: { level: Uint8Array.of(42) },
});
written.addVlmeta("note", new TextEncoder().encode("written by Node.js"));
written.close();

const array = DoubleArray.open(path);
const note = new TextDecoder().decode(array.vlmeta("note"));
assert.equal(note, "written by Node.js");
assert.deepEqual([...array.meta("level")], [42]);
assert.deepEqual(array.shape(2), [rows, columns]);
const slice = array.slice([99, 98], [102, 103]);
slice.forEach((item, n) => assert.equal(item, 1000 * (99 + Math.floor(n / 5)) + 98 + (n % 5)));
assert.deepEqual(array.slice([0, 0], [rows, columns]), items);
assert.throws(() => DoubleArray.open("not there.b2nd"), Blosc2Error);
const { nbytes, cbytes } = array.schunk;
console.log(`ok story.js: ${rows} x ${columns}, "${note}", ${nbytes} bytes in ${cbytes}`);
array.close();
remove(path);
