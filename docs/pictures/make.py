"""Draws the pictures of the guide from examples/data/jacksboro.b2nd: python make.py PREFIX

PREFIX is where the library and the tool are installed. What is drawn is what the library reports: shapes, chunks, blocks,
streams, and their sizes; the map of a frame is the tool's.
"""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from blosc import Terrain
from svg import Picture, grey_png

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "examples" / "data" / "jacksboro.b2nd"
RED, BLUE, ORANGE = "#c0392b", "#2c6fbb", "#e08a1e"
#: A slice, as the guide reads it.
SLICE = (100, 140, 180, 270)


def tiles(length, step):
    return [(at, min(at + step, length)) for at in range(0, length, step)]


def draw_array(terrain, path):
    """The array on its chunks and blocks, and which blocks a slice touches."""
    (rows, columns), scale, left, top = terrain.shape, 1.25, 46, 34
    (chunk_rows, chunk_columns), (block_rows, block_columns) = terrain.chunkshape, terrain.blockshape
    picture = Picture(700, 524, "An array of 344 x 403 items, its chunks and its blocks")
    items = terrain.items()
    low, high = min(items), max(items)
    relief = [[(items[r * columns + c] - low) * 255 // (high - low) for c in range(0, columns, 2)] for r in range(0, rows, 2)]
    picture.image(left, top, columns * scale, rows * scale, grey_png(relief))
    width, height = [-(-n // step) * step * scale for n, step in ((columns, chunk_columns), (rows, chunk_rows))]
    touched = touched_blocks(terrain)
    for r, c in touched:
        picture.rect(left + c * scale, top + r * scale, block_columns * scale, block_rows * scale, ORANGE, extra=' opacity="0.45"')
    for r in range(0, rows, chunk_rows):
        for c in range(0, columns, chunk_columns):
            draw_chunk_grid(picture, left + c * scale, top + r * scale, terrain, scale)
    picture.rect(left, top, columns * scale, rows * scale, stroke="#fff", stroke_width=2)
    from_row, to_row, from_column, to_column = SLICE
    picture.rect(left + from_column * scale, top + from_row * scale, (to_column - from_column) * scale,
                 (to_row - from_row) * scale, stroke="#fff", stroke_width=3)
    picture.rect(left + from_column * scale, top + from_row * scale, (to_column - from_column) * scale,
                 (to_row - from_row) * scale, stroke="#111", stroke_width=1.5)
    for n, (at, _) in enumerate(tiles(columns, chunk_columns)):
        picture.text(left + at * scale, top - 8, f"{at}", "middle")
    for at, _ in tiles(rows, chunk_rows):
        picture.text(left - 6, top + at * scale + 4, f"{at}", "end")
    picture.text(left + columns * scale - 6, top - 8, f"{columns}", "start", RED)
    picture.text(left - 6, top + rows * scale + 4, f"{rows}", "end", RED)
    assert top + height < 524 and left + width < 700
    picture.save(path)
    return len(touched)


def draw_chunk_grid(picture, x, y, terrain, scale):
    (chunk_rows, chunk_columns), (block_rows, block_columns) = terrain.chunkshape, terrain.blockshape
    x_end, y_end = x + chunk_columns * scale, y + chunk_rows * scale
    for at in range(block_columns, chunk_columns, block_columns):
        picture.line(x + at * scale, y, x + at * scale, y_end, "#7fb0e6")
    for at in range(block_rows, chunk_rows, block_rows):
        picture.line(x, y + at * scale, x_end, y + at * scale, "#7fb0e6")
    picture.rect(x, y, chunk_columns * scale, chunk_rows * scale, stroke=RED, stroke_width=2)


def touched_blocks(terrain):
    """The first item of every block that has items of the slice."""
    from_row, to_row, from_column, to_column = SLICE
    (chunk_rows, chunk_columns), (block_rows, block_columns) = terrain.chunkshape, terrain.blockshape
    spans = [
        [chunk + block for chunk in range(0, length, chunk_step) for block in range(0, chunk_step, step)
         if chunk + block < stop and chunk + block + step > start]
        for length, chunk_step, step, start, stop in (
            (terrain.shape[0], chunk_rows, block_rows, from_row, to_row),
            (terrain.shape[1], chunk_columns, block_columns, from_column, to_column))]
    return [(r, c) for r in spans[0] for c in spans[1]]


def parts_of(chunk):
    """The parts of a chunk: what they are, where they begin, how many bytes they have."""
    flags, typesize = chunk[2], chunk[3]
    nbytes, blocksize, cbytes = struct.unpack_from("<iii", chunk, 4)
    nblocks = -(-nbytes // blocksize)
    starts = struct.unpack_from(f"<{nblocks}i", chunk, 32)
    streams = 1 if flags & 0x10 else typesize
    parts = [("header", 0, 32), ("starts", 32, 4 * nblocks)]
    for n, start in enumerate(starts):
        at = start
        for stream in range(streams):
            size = 4 + max(struct.unpack_from("<i", chunk, at)[0], 0)
            parts.append((f"{n}.{stream}", at, size))
            at += size
    assert max(at + size for _, at, size in parts) == cbytes == len(chunk)
    return parts, streams


def draw_chunk(terrain, path):
    """A chunk's bytes, to scale: a row per 2 KiB."""
    chunk = terrain.chunk(0)
    parts, streams = parts_of(chunk)
    row, width, left, top, high = 2048, 600, 66, 20, 22
    rows = -(-len(chunk) // row)
    picture = Picture(700, top + rows * (high + 6) + 50, "The bytes of a chunk: header, block starts, blocks")
    shades = {"header": RED, "starts": ORANGE}
    order = list(dict.fromkeys(name.split(".")[0] for name, _, _ in sorted(parts, key=lambda part: part[1])))
    for name, at, size in parts:
        block = name.split(".")[0]
        # Blocks lie in the order in which threads were done with them, which need not be that of their numbers.
        dark = order.index(block) % 2 == 0
        fill = shades.get(name) or (BLUE if dark else "#7fb0e6")
        end = at + size
        while at < end:
            stop = min(end, at // row * row + row)
            x, y = left + at % row * width / row, top + at // row * (high + 6)
            picture.rect(x, y, (stop - at) * width / row, high, fill, "#fff", 0.6)
            at = stop
        if name not in shades:
            begin = end - size
            x, y = left + begin % row * width / row, top + begin // row * (high + 6)
            if name.endswith(".0") and x < left + width - 60:
                picture.text(x + 4, y + 15, f"block {block}", fill="#fff" if dark else "#123", size=11)
    for n in range(rows):
        picture.text(left - 8, top + n * (high + 6) + 15, f"{n * row}", "end", size=11)
    y = top + rows * (high + 6) + 12
    x = left
    sized = {"header": "32 bytes of header", "starts": f"{parts[1][2]} bytes of block starts"}
    for name, words in sized.items():
        picture.rect(x, y, 12, 12, shades[name])
        picture.text(x + 18, y + 11, words)
        x += 200
    picture.text(x, y + 11, f"8 blocks of {'one stream' if streams == 1 else f'{streams} streams'}")
    picture.save(path)


def draw_frame(prefix, library, path):
    """The map of a frame of which a chunk was deleted."""
    with TemporaryDirectory() as folder:
        frame = Path(folder) / "terrain.b2nd"
        shutil.copy(DATA, frame)
        Terrain(library, frame).delete_chunk(5)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent))
        subprocess.run([prefix / "bin" / "b2", "chunks", frame, "--svg", path, "--force"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)


def main(prefix):
    library = next(prefix.rglob("libblosc2.so"))
    terrain = Terrain(library, DATA)
    blocks = draw_array(terrain, HERE / "array.svg")
    draw_chunk(terrain, HERE / "chunk.svg")
    draw_frame(prefix, library, HERE / "frame.svg")
    print(f"array.svg: the slice touches {blocks} blocks; chunk.svg; frame.svg")


main(Path(sys.argv[1]).resolve())
