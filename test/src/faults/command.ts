/** A command of `npm run faults`, by its name; `run` gives the code that the process ends with. */
export type Command = Readonly<{ usage: string; run(args: readonly string[]): Promise<number> }>
