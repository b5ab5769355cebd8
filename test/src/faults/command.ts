/** A command of the harness: how it is called, and its exit code when it has run with these arguments. */
export type Command = Readonly<{ usage: string; run(args: readonly string[]): Promise<number> }>
