import type { AccountToSend } from '@account-import/core'

/** Thrown where the caller's signal ended the wait for a source. */
export class SourceAborted extends Error {
  constructor() {
    super('The wait for the source was ended.')
  }
}

const unlessAborted = <A>(next: PromiseLike<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new SourceAborted())
    const end =
      <B>(settle: (outcome: B) => void) =>
      (outcome: B): void => {
        signal.removeEventListener('abort', onAbort)
        settle(outcome)
      }
    signal.addEventListener('abort', onAbort)
    next.then(end(resolve), end(reject))
  })

const isPromise = <A>(step: A | PromiseLike<A>): step is PromiseLike<A> =>
  typeof step === 'object' && step !== null && 'then' in step

/** The items of a source. Throws `SourceAborted` as soon as the signal is aborted, whatever the source is at. */
async function* untilAborted<A>(
  source: Iterable<A> | AsyncIterable<A>,
  signal: AbortSignal | undefined,
): AsyncGenerator<A> {
  const iterator: Iterator<A, unknown> | AsyncIterator<A, unknown> =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  let isAtItem = true
  try {
    for (;;) {
      if (signal?.aborted === true) throw new SourceAborted()
      isAtItem = false
      const step = iterator.next()
      const { done, value } = await (signal !== undefined && isPromise(step)
        ? unlessAborted(step, signal)
        : step)
      if (done === true) return
      isAtItem = true
      yield value
    }
  } catch (cause) {
    // It may be waiting for what never comes: it is told, and nobody waits for its answer.
    if (cause instanceof SourceAborted && !isAtItem)
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    throw cause
  } finally {
    if (isAtItem) await iterator.return?.()
  }
}

/** An account, or one line of JSON: as text, or as UTF-8. Blank lines are passed over. */
export type BulkItem<Account = AccountToSend> = Account | string | Uint8Array

/** Where accounts come from; an error that it throws is thrown to the reader of the results. */
export type BulkSource<Account = AccountToSend> =
  | Iterable<BulkItem<Account>>
  | AsyncIterable<BulkItem<Account>>

/** A line to be sent, without a line end. */
export type SentLine = Readonly<{ line: number; bytes: Uint8Array }>

/** The limits of one request; a longer line goes alone. */
export const requestLimits = { lines: 1000, bytes: 5_000_000 } as const

const encoder = new TextEncoder()
const [lineFeed, carriageReturn] = [0x0a, 0x0d]
const blanks = new Set([0x20, 0x09, lineFeed, carriageReturn])

const textOf = (item: object | string): string => (typeof item === 'string' ? item : JSON.stringify(item))

/** To JSON a carriage return is what a line feed is: both may stand between values, neither inside a text. */
const bytesOf = (item: BulkItem<object>): Uint8Array => {
  const bytes = item instanceof Uint8Array ? item : encoder.encode(textOf(item))
  return bytes.includes(lineFeed) ? bytes.map((byte) => (byte === lineFeed ? carriageReturn : byte)) : bytes
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => blanks.has(byte))

/**
 * Lines for one request after the other; no more is read than the next request needs. Throws what the source throws, and
 * `SourceAborted`.
 */
export async function* requestsOf(
  source: BulkSource<object>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly SentLine[]> {
  let held: SentLine[] = []
  let size = 0
  let line = 0
  for await (const item of untilAborted(source, signal)) {
    line += 1
    const bytes = bytesOf(item)
    if (isBlank(bytes)) continue
    const [first] = held
    if (
      first !== undefined &&
      (line - first.line >= requestLimits.lines || size + bytes.length >= requestLimits.bytes)
    ) {
      yield held
      held = []
      size = 0
    }
    held.push({ line, bytes })
    size += bytes.length + 1
  }
  if (held.length > 0) yield held
}

/**
 * The body of a request, each line with its line feed. Blank lines stand for items that are not among them, so that the service
 * counts as the source does.
 */
export const bodyOf = (lines: readonly SentLine[]): Uint8Array<ArrayBuffer> => {
  const [first, last] = [lines[0]?.line ?? 1, lines.at(-1)?.line ?? 1]
  const body = new Uint8Array(lines.reduce((sum, { bytes }) => sum + bytes.length, last - first + 1))
  let at = 0
  let number = first
  for (const { line, bytes } of lines) {
    for (; number < line; number += 1) body[at++] = lineFeed
    body.set(bytes, at)
    at += bytes.length
    body[at++] = lineFeed
    number += 1
  }
  return body
}
