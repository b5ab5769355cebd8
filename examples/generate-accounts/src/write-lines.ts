import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Lines are written in blocks of about this many characters. */
const BLOCK = 65_536

function* blocksOf(lines: Iterable<string>): Generator<string, void, undefined> {
  let block = ''
  for (const line of lines) {
    block += `${line}\n`
    if (block.length < BLOCK) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}

/**
 * Writes lines to a file, compressed by gzip if its name ends in `.gz`, or to stdout; as fast as the reader accepts them, so that
 * memory is the same for any number of them. Makes the folder of the file. Rejects with the fault of the file.
 */
export const writeLines = async (lines: Iterable<string>, path: string | undefined): Promise<void> => {
  const blocks = Readable.from(blocksOf(lines), { highWaterMark: 1 })
  if (path === undefined) return pipeline(blocks, process.stdout, { end: false })
  await mkdir(dirname(path), { recursive: true })
  const file = createWriteStream(path)
  await (path.endsWith('.gz') ? pipeline(blocks, createGzip(), file) : pipeline(blocks, file))
}
