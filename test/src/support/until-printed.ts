/** The text of a stream until it contains these words; it listens all the time, so that no piece is missed. */
export const untilPrinted = (stream: NodeJS.ReadableStream, words: string): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const look = (piece: unknown): void => {
      text += String(piece)
      if (!text.includes(words)) return
      stream.off('data', look)
      resolve(text)
    }
    stream.on('data', look)
  })
