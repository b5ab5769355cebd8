/** Prints a text, and waits until more can be taken. */
export type Print = (text: string) => Promise<void>

const nothing = async (): Promise<void> => undefined

/** An output that is printed as it comes: nothing of it can be taken back. */
export const standardOutput = (print: Print) => {
  const decoder = new TextDecoder()
  return {
    write: (content: Uint8Array | string): Promise<void> =>
      // A line may be cut between two pieces.
      print(typeof content === 'string' ? content : decoder.decode(content, { stream: true })),
    complete: nothing,
    publish: nothing,
    discard: nothing,
  }
}
