import { cpus, totalmem } from 'node:os'

/** What figures were made on, and when, in one line. */
export const machineText = (database: string): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ` +
  `${Math.round(totalmem() / 2 ** 30)} GB, ${database}`
