"""The little of SVG that the pictures need."""

from base64 import b64encode
from html import escape
import struct
import zlib


class Picture:
    """A white sheet, to be drawn on."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="#fff"/>',
        ]

    def rect(self, x, y, width, height, fill="none", stroke="none", stroke_width=1, extra=""):
        self.parts.append(f'<rect x="{x:.6g}" y="{y:.6g}" width="{width:.6g}" height="{height:.6g}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{stroke_width}"{extra}/>')

    def line(self, x, y, to_x, to_y, stroke="#555"):
        self.parts.append(f'<path d="M{x:.6g} {y:.6g}L{to_x:.6g} {to_y:.6g}" stroke="{stroke}"/>')

    def text(self, x, y, words, anchor="start", fill="#222", size=13):
        self.parts.append(f'<text x="{x:.6g}" y="{y:.6g}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">'
                          f"{escape(words)}</text>")

    def image(self, x, y, width, height, png):
        self.parts.append(f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
                          f'href="data:image/png;base64,{b64encode(png).decode()}"/>')

    def save(self, path):
        path.write_text("\n".join([*self.parts, "</svg>"]) + "\n")


def grey_png(rows):
    """Rows of bytes as a picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
