/** What a type of an answer guards; nothing is known of lines that are only read. */
export type LineOf<Each> = Each extends Readonly<{ is: (value: unknown) => value is infer A }> ? A : unknown

/** Whether an answer is a stream of lines, several of them together. */
export const isLines = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** The media type of a body or an answer that is a stream of lines. */
export const linesType = 'application/x-ndjson'

/**
 * A body or an answer that is a stream of JSON values, one a line (NDJSON), each of them as `each` says. It is handled in
 * pieces of several lines, so that it never has to be in memory as a whole.
 */
export class Lines<Each extends Readonly<{ name: string }>> {
  readonly name: string
  readonly each: Each

  constructor(each: Each) {
    this.name = `lines of ${each.name}`
    this.each = each
  }

  /** What the lines hold shows only when they come. */
  is(value: unknown): value is AsyncIterable<readonly LineOf<Each>[]> {
    return isLines(value)
  }
}
