import type { CliProcess } from '../../support/cli-process.js'

type Entry = Readonly<{ event: string; worker?: number; pid?: number; [more: string]: unknown }>

/** What a server with workers logs, while it runs. */
export type WorkerLog = Readonly<{
  entries(): readonly Entry[]
  /** Waits until some entries are as wanted, and gives them. */
  until(wanted: (entry: Entry) => boolean, count: number): Promise<readonly Entry[]>
}>

export const workerLog = ({ stderr }: CliProcess): WorkerLog => {
  let text = ''
  stderr.on('data', (chunk: string) => {
    text += chunk
  })
  const entries = (): readonly Entry[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Entry)
  return {
    entries,
    until: async (wanted, count) => {
      for (let found: readonly Entry[] = []; ;) {
        found = entries().filter(wanted)
        if (found.length >= count) return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}
