/** The lines of a stream of UTF-8, each without its line feed; a last one without line feed is cut, so it is left out. */
export async function* textLines(
  stream: ReadableStream<Uint8Array> | null,
  next: <A>(chunk: Promise<A>) => Promise<A>,
): AsyncGenerator<string> {
  if (stream === null) return
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let open = ''
  try {
    for (;;) {
      const { done, value } = await next(reader.read())
      if (done) return
      const lines = (open + decoder.decode(value, { stream: true })).split('\n')
      open = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    // Tells the service that nobody reads any more; after the end, or a failure, it does nothing.
    await reader.cancel().catch(() => undefined)
  }
}
