import { cpus, totalmem } from 'node:os'

/** What a run was made on, in one sentence. */
export const machineText = (database: string, rounds: number, seconds: number): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ` +
  `${Math.round(totalmem() / 2 ** 30)} GB, ${database}; ${rounds} rounds of ${seconds} s each.`
