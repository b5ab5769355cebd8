/** About so much text is sent as one piece. */
const pieceLength = 65_536

/** The text of lines, while they come: those that come together as one piece, or several where they are long. */
export async function* linesText(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const page of pages) {
    let piece = ''
    for (const line of page) {
      piece += `${JSON.stringify(line)}\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
}
