import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

const lineFeed = 0x0a

/** The index of the first byte that is not UTF-8; undefined if all of them are. */
const firstFault = (line: Buffer): number | undefined => {
  if (isUtf8(line)) return undefined
  let at = 0
  while (at < line.length) {
    const byte = line[at] ?? 0
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (!isUtf8(line.subarray(at, at + length))) return at
    at += length
  }
  return at
}

/** Says where a file is not UTF-8: line, byte and place in the file; undefined if it is UTF-8 throughout. */
export const encodingFault = async (file: string): Promise<string | undefined> => {
  let rest = Buffer.alloc(0)
  let line = 1
  let before = 0
  const said = (bytes: Buffer): string | undefined => {
    const at = firstFault(bytes)
    if (at === undefined) return undefined
    const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0')
    return (
      `${file} is not in UTF-8: line ${line} has the byte 0x${byte} at ${at + 1} (byte ${before + at + 1} of the file).` +
      " A file of Windows or in Latin-1 is read with encoding='latin-1'."
    )
  }
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk as Buffer])
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      const found = said(rest.subarray(0, end))
      if (found !== undefined) return found
      rest = rest.subarray(end + 1)
      before += end + 1
      line += 1
    }
  }
  return said(rest)
}
