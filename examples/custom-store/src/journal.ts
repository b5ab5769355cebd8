import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { View, type Change, type Table } from './view.js'

export type Journal = Readonly<{
  /** A commit. */
  view: View
  /** Stores the changes: all of them or, when it rejects, none. After a rejection every call rejects. */
  append(changes: readonly Change[]): Promise<void>
  close(): Promise<void>
}>

const lineOf = (changes: readonly Change[]): string => `${JSON.stringify(changes)}\n`

/** A line without an end was cut off by a crash, before any caller got a response. */
const whole = (text: string): readonly string[] => text.split('\n').slice(0, -1)

/** Fields that rows have even when they are undefined, which JSON leaves out. */
const always: Partial<Record<Table, object>> = {
  organisations: { disabledAt: undefined },
  apiKeys: { expiresAt: undefined, revokedAt: undefined, lastUsedAt: undefined },
  imports: { claim: undefined, latestFailure: undefined, created: undefined },
  emails: { latestFailure: undefined },
  webhooks: { disabledAt: undefined, latestDeliveryAt: undefined, latestFailure: undefined },
}

const withAlways = ([table, key, row]: Change): Change =>
  typeof row === 'object' && row !== null ? [table, key, { ...always[table], ...row }] : [table, key, row]

const read = async (path: string): Promise<View> => {
  const view = new View()
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw cause
  })
  for (const line of whole(text)) view.take((JSON.parse(line) as readonly Change[]).map(withAlways))
  return view
}

/** Writes the present rows as one line beside the file, and replaces the file by it: atomically. */
const compact = async (path: string, view: View): Promise<void> => {
  const beside = await open(`${path}.new`, 'w')
  try {
    await beside.writeFile(lineOf(view.changes().filter(([, , row]) => row !== null)))
    await beside.sync()
  } finally {
    await beside.close()
  }
  await rename(`${path}.new`, path)
  const folder = await open(dirname(path))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** One file of JSON lines, each the changes of one commit. For one process at a time. */
export const openJournal = async (path: string): Promise<Journal> => {
  const view = await read(path)
  await compact(path, view)
  const file = await open(path, 'a')
  let broken: unknown
  return {
    view,
    append: async (changes) => {
      if (changes.length === 0) return
      if (broken !== undefined) throw broken
      try {
        await file.appendFile(lineOf(changes))
        await file.datasync()
      } catch (cause) {
        // The line may or may not be in the file: opening the file again shows which.
        broken = cause
        throw cause
      }
      view.take(changes)
    },
    close: () => file.close(),
  }
}
