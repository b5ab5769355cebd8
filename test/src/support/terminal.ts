import { PassThrough } from 'node:stream'

/** A stream that acts as a terminal with this number of columns, and its text. */
export const terminalOf = (
  columns: number,
): Readonly<{ terminal: NodeJS.WriteStream; shown: () => string }> => {
  const written: string[] = []
  const stream = new PassThrough().setEncoding('utf8').on('data', (text: string) => written.push(text))
  // The output moves the cursor by the functions of `readline`, so that a stream is enough.
  const terminal = Object.assign(stream, { isTTY: true, columns, rows: 40 })
  return { terminal: terminal as unknown as NodeJS.WriteStream, shown: () => written.join('') }
}
