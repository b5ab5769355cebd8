import { documentation, typed } from '../../program-name.js'
import { FileFailure } from '../file-failure.js'
import { isBlank, linesOf } from './lines-of.js'

const refused = (words: string): FileFailure => new FileFailure('not_one_account_a_line', words)

const utf16 = (): FileFailure =>
  refused('The file is in UTF-16. Save it as UTF-8, one JSON account a line (NDJSON).')

const zipped = (): FileFailure =>
  refused(
    `The file is a zip archive. Unpack it first, for example: unzip -p FILE | ${typed('validate -')}` +
      ' (gzip is read as it is; a spreadsheet is a zip archive too).',
  )

const oneDocument = (): FileFailure =>
  refused(
    'The file looks like one JSON document. Write one account a line (NDJSON), for example with:' +
      " jq -c '.[]' FILE for an array of accounts, jq -c . FILE for a single one.",
  )

const csv = (): FileFailure =>
  refused(
    `The file looks like CSV. Make accounts of it by one SQL query first: ${typed('convert --init FOLDER')} writes an example, and` +
      ` ${documentation}/tutorials/from-a-csv-export.md shows how.`,
  )

/** The name of a column, as exports write it; a letter of another encoding than UTF-8 is U+FFFD here. */
const columnName = /^"?[\p{L}\ufffd_#][^{}[\]":;,\t]*"?$/u

/** Columns, each with a name: two, or three in quotes, as two texts in quotes may be broken JSON. */
const isCsvHead = (line: string): boolean =>
  [';', ',', '\t', '|'].some((mark) => {
    const names = line.split(mark)
    return names.length >= (line.includes('"') ? 3 : 2) && names.every((name) => columnName.test(name.trim()))
  })

const firstLine = (bytes: Uint8Array): string => {
  for (const { start, end } of linesOf(bytes)) {
    const line = bytes.subarray(start, end)
    if (!isBlank(line)) return new TextDecoder().decode(line.subarray(0, 1024)).trim()
  }
  return ''
}

const startsWithUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const startsAsZip = ([p, k, third = 0, fourth]: Uint8Array): boolean =>
  p === 0x50 && k === 0x4b && [3, 5, 7].includes(third) && fourth === third + 1

/**
 * The fault in the form of a whole file, seen by its beginning: a zip archive, UTF-16, CSV, an array, or a document over several
 * lines. Each of its lines would fail, and that would not tell how to go on.
 */
export const inputFailure = (bytes: Uint8Array): FileFailure | undefined => {
  if (startsAsZip(bytes)) return zipped()
  if (startsWithUtf16Mark(bytes)) return utf16()
  const line = firstLine(bytes)
  if (line === '{' || line.startsWith('[')) return oneDocument()
  return isCsvHead(line) ? csv() : undefined
}
